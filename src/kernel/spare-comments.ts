/**
 * The net under the comments of one item: a comment on which the work fails is set aside by itself, and the work goes
 * on without it.
 */

import { type Side, sides } from '../model/ids.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { SetAside, Stage } from '../model/outcome.ts';
import type { Operation } from '../model/plan/operation.ts';
import { isFault, isSetAside, partOf, setAside, type Work, watchedWork, workOn } from './set-aside.ts';

type Sparing = Parameters<typeof setAside>[0];

/** The comments that work has to do without, by the numbers of their rows, or of themselves while they are read. */
export type LeftOut = ReadonlySet<number>;

export const none: LeftOut = new Set();

/** A comment that the work can do without. */
export interface Part {
  readonly id: number;
  readonly work: Work;
}

interface Parts {
  readonly whole: Work;
  /** In their order. */
  readonly parts: () => readonly Part[];
  /** The bug or the issue, or both ends of a pair, whose comments these are. */
  readonly of: readonly Pick<Work, 'side' | 'ref'>[];
  /** False if there may be others. */
  readonly areAll: boolean;
}

/** So many comments fail by themselves: if more do, it is not the comments. */
const faultsMax = 20;

class Undone extends Error {}

/**
 * Does the work without the comments that failed before and are still the same. If it fails, the first comment is
 * looked for without which it would not, by halves: it is set aside, and the work is done without it. If it fails
 * without all of them, the item is set aside as a whole.
 */
export function spareParts<T>(context: Sparing, given: Parts, run: (left: LeftOut) => T): T | null {
  const { whole, parts, of } = given;
  if (isSetAside(context, whole)) return null;
  const { store, route } = context;
  const known = of.flatMap(({ side, ref }) => store.setAside.comments(route.name, side, ref));
  const left: Part[] = known.length === 0 ? [] : parts().filter(({ work }) => isSetAside(context, work));
  for (let faults = 0; ; faults += 1) {
    try {
      const result = done(context, whole, () => run(idsOf(left)));
      forget(context, given, known, left);
      return result;
    } catch (error) {
      const culprit = isFault(context, error) && faults < faultsMax ? culpritIn(context, given, left, run) : null;
      setAside(context, culprit?.work ?? whole, error);
      if (culprit === null) return null;
      left.push(culprit);
    }
  }
}

const idsOf = (parts: readonly Part[]): LeftOut => new Set(parts.map(({ id }) => id));

const done = <T>(context: Sparing, whole: Work, run: () => T): T =>
  context.watch.during(watchedWork(context, whole), () => context.store.transaction(run));

/** What the work was done with is no longer set aside, nor what is not there any more. */
function forget({ store, route }: Sparing, { whole, parts, areAll }: Parts, known: readonly SetAside[], left: Part[]) {
  if (known.length === 0) return;
  const isIn = (list: readonly Part[], { side, comment }: SetAside): boolean =>
    list.some(({ work }) => work.side === side && work.comment === comment);
  const all = parts();
  for (const row of known)
    if (partOf(row) === whole.of && !isIn(left, row) && (areAll || isIn(all, row)))
      store.setAside.remove(route.name, row.side, row.ref, row.comment);
}

/** The last comment of the shortest beginning with which the work fails; null if it fails without any. */
function culpritIn(
  context: Sparing,
  { whole, parts }: Parts,
  left: readonly Part[],
  run: (left: LeftOut) => unknown,
): Part | null {
  const open = parts().filter(({ id }) => !left.some((part) => part.id === id));
  const fails = (count: number): boolean => {
    try {
      done(context, whole, () => {
        run(idsOf([...left, ...open.slice(count)]));
        throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone) && !isFault(context, error)) throw error;
      return !(error instanceof Undone);
    }
    return false;
  };
  if (open.length === 0 || fails(0)) return null;
  let [good, bad] = [0, open.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fails(middle)) bad = middle;
    else good = middle;
  }
  return open[bad - 1] ?? null;
}

/** Work on a pair that looks at its comments. What it is given are those that it has to do without. */
export function spareComments<T>(context: Sparing, link: Link, stage: Stage, run: (left: LeftOut) => T): T | null {
  const of = sides.flatMap((side) => endOf(link, side) ?? []);
  // An item is not made without its first text.
  const isMade = link.bug !== null && link.issue !== null;
  const parts = () =>
    context.store.commentLinks
      .ofLink(link.id)
      .filter(({ part, count, source }) => part === 1 && (isMade || (count !== 0 && source !== bodyId)))
      .flatMap((each) => {
        const work = workOnComment(link, each, stage);
        return work === null ? [] : [{ id: each.id, work }];
      });
  return spareParts(context, { whole: workOn(context, link, stage), parts, of, areAll: true }, run);
}

const endOf = ({ bug, issue }: Link, side: Side): Pick<Work, 'side' | 'ref'> | null => {
  const ref = side === 'tracker' ? bug : issue;
  return ref === null ? null : { side, ref };
};

/** The work on one comment of a pair, by what is known of it; null for one whose item is unknown. */
export function workOnComment(link: Link, commentLink: CommentLink, stage: Stage): Work | null {
  const { origin, source, digest, before, copy } = commentLink;
  const end = endOf(link, origin);
  const body = copy?.id === bodyId ? link.github?.body : null;
  return end && { ...end, comment: source, stage, of: 'link', content: () => [digest, before, body] };
}

/** The same for an operation that writes what a comment says; null for any other, and for the first text of an item. */
export function workOnTold({ links, commentLinks }: Sparing['store'], operation: Operation): Work | null {
  if (operation.kind !== 'comment' && operation.kind !== 'rewrite') return null;
  const [link, told] = [links.byId(operation.link), commentLinks.byId(operation.commentLink)];
  const isMade = link?.bug != null && link.issue !== null;
  return isMade && told !== null ? workOnComment(link, told, 'write') : null;
}

/** The comments, without the words of those that the work has to do without: a further part goes with the first. */
export function leavingOut(
  commentLinks: readonly CommentLink[],
  left: LeftOut,
  change: (commentLink: CommentLink) => CommentLink = (each) => ({ ...each, text: null, before: null }),
): readonly CommentLink[] {
  if (left.size === 0) return commentLinks;
  const keyOf = ({ origin, source }: CommentLink): string => `${origin} ${source}`;
  const out = new Set(commentLinks.flatMap((each) => (left.has(each.id) ? [keyOf(each)] : [])));
  return commentLinks.map((each) => (out.has(keyOf(each)) ? change(each) : each));
}
