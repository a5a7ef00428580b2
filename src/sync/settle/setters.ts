/** Who set the values in which the sides of a pair differ, as both sides tell. */

import type { Context, RouteState } from '../../kernel/context.ts';
import type { Side } from '../../model/ids.ts';
import type { Bug, Issue } from '../../model/item.ts';
import type { Link, OlderPair } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { PastChange } from '../../model/receipt.ts';
import type { Actor } from '../../model/replica.ts';
import { type Difference, eventsFor, eventsOfCopy, eventsOfLoss, type Setter } from '../../rules/fields/last-set.ts';
import { setterOnTracker } from '../../rules/fields/set-on-tracker.ts';
import { asksOfTaking, originIn, type Taking, takingOf } from './older/taking.ts';

/**
 * All changes of these bugs, by bug and by time; a bug whose history cannot be read is missing. Throws `SideError`.
 */
export async function pastChanges(
  { tracker }: Pick<Context, 'tracker'>,
  bugs: readonly number[],
): Promise<ReadonlyMap<number, readonly PastChange[]>> {
  if (bugs.length === 0) return new Map();
  try {
    const { changes, unread } = await tracker.history(bugs, 0);
    const read = bugs.filter((bug) => !unread.includes(bug));
    return new Map(
      read.map((bug) => [bug, changes.filter(({ ref }) => ref === bug).toSorted((one, other) => one.at - other.at)]),
    );
  } catch (failure) {
    if (!(failure instanceof SideError) || failure.kind !== 'refused') throw failure;
    return new Map();
  }
}

/** A pair that differs, with what has to be asked about. */
export interface Open {
  readonly older: OlderPair;
  readonly link: Link;
  readonly bug: Bug;
  readonly issue: Issue;
  readonly differences: readonly Difference[];
}

export type Setters = readonly (readonly [Difference, Readonly<Record<Side, Setter>>])[];

/**
 * Who set both values of each difference of a pair. @param changes of its bug; null if they cannot be read
 * @returns `later` if GitHub does not tell now. Throws `SideError`.
 */
export async function settersIn(
  context: Context,
  open: Open,
  changes: readonly PastChange[] | null,
): Promise<Setters | 'later'> {
  const actors = await actorsOn(context, open);
  return actors === 'later' ? 'later' : settersOf(context, open, changes, actors);
}

/** Who did last what each difference comes from: an actor, or null for nobody; null where GitHub does not tell. */
async function actorsOn(
  context: Context,
  { link, issue, differences }: Open,
): Promise<readonly (Answer | null)[] | 'later'> {
  const { github, route, session } = context;
  const { vocabulary } = session;
  const events = differences.map((each) => eventsFor(route, vocabulary, issue, each, link.base?.github[each.field]));
  if (events.every((each) => each === null)) return events.map(() => null);
  const copied = differences.map((each) => eventsOfCopy(route, vocabulary, issue, each));
  try {
    const lost = differences.map((each) => eventsOfLoss(route, issue, each));
    const asked = [...events, ...copied, ...lost].map((each) => each ?? []);
    const actors = await github.lastActors(issue.number, [...asked, ...asksOfTaking(link)]);
    const taking = takingOf(context, link, issue, actors?.slice(asked.length) ?? []);
    return events.map((each, index) =>
      each === null || actors === null
        ? null
        : {
            actor: actors[index] ?? null,
            copier: actors[index + events.length] ?? null,
            loser: actors[index + 2 * events.length] ?? null,
            taking,
          },
    );
  } catch (failure) {
    if (!(failure instanceof SideError) || failure.kind === 'unauthorized' || failure.at !== null) throw failure;
    return failure.kind === 'later' ? 'later' : events.map(() => null);
  }
}

interface Answer {
  readonly actor: Actor | null;
  /** Who last gave the issue what the tracker shows. */
  readonly copier: Actor | null;
  /** Who last took that from it. */
  readonly loser: Actor | null;
  readonly taking: Taking;
}

function settersOf(
  { route, session: { own } }: RouteState,
  { bug, issue, differences }: Open,
  changes: readonly PastChange[] | null,
  actors: readonly (Answer | null)[],
): Setters {
  return differences.map((difference, index) => {
    const answer = actors[index] ?? null;
    const github = setterOnGithub(issue, difference, answer, own.github);
    return [difference, { tracker: setterOnTracker(route, bug, changes, difference, own.tracker), github }];
  });
}

/** What no event gave the issue, it has had since it was made. */
function setterOnGithub(issue: Issue, difference: Difference, answer: Answer | null, own: Account | null): Setter {
  if (answer === null || own === null) return null;
  const actor = answer.actor ?? { ...issue.author, at: issue.createdAt };
  const { at } = actor;
  if (at === null) return null;
  const isPerson = (each: Actor | null): each is Actor & { readonly at: number } =>
    each !== null && each.at !== null && !isBy(each, own);
  const { copier, loser, taking } = answer;
  // What our own account made began as a copy of all that the tracker showed then.
  const madeAt = isBy(issue.author, own) ? issue.createdAt : null;
  const isCopyTold = copier !== null && isBy(copier, own);
  const copiedAt = isCopyTold ? copier.at : madeAt;
  return {
    ...{ isOurs: isBy(actor, own), at, isFirst: answer.actor === null },
    copiedAt: copiedAt !== null && copiedAt <= at ? copiedAt : null,
    isCopyTold,
    agreedAt: Math.max(...[copier, loser].map((each) => (isPerson(each) && each.at <= at ? each.at : 0))) || null,
    origin: originIn(taking, difference, at),
  };
}
