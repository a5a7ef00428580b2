/**
 * The requests of an update of fields: which there are, in which order, and what goes along with the first one.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { receiptOf } from '../../kernel/outbox.ts';
import type { FieldName, Issue, Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { type MayGoOn, type Outcome, SideError } from '../../model/outcome.ts';
import type { BugPatch, IssuePatch } from '../../model/plan/draft.ts';
import type { UpdateOperation } from '../../model/plan/operation.ts';
import { bugSteps, isNaming, issueSteps } from '../../rules/fields/plan.ts';
import { blockerSteps } from '../../rules/fields/relations.ts';
import { withTableStep } from '../../rules/fields/table.ts';
import { withThumbsUpStep } from '../../rules/labels/tags.ts';
import { pointerOf, pointKey } from '../../rules/links/match.ts';
import { publicBug } from '../../rules/privacy/gate.ts';
import { mirroredLine } from '../../text/marker.ts';
import { neighboursOf } from '../observe/mentions.ts';
import { mayName } from '../observe/select.ts';

/** A tracker that stored the address several times without showing it is not asked again. */
const mayPoint = ({ store, limits }: RouteState, { id }: Link, { isPointing }: UpdateOperation): boolean =>
  isPointing === true && (receiptOf(store, id).vain[pointKey(id, 'tracker')] ?? 0) < limits.attempts;

/**
 * A tracker that refuses the address in See Also takes it as a comment in the same request, unless that has one to make
 * already.
 */
async function sendPointing({ tracker, route }: Context, link: Link, patch: BugPatch): Promise<Outcome<Item>> {
  const pointer = pointerOf(route, link, 'tracker');
  if (link.tracker === null || link.github === null || pointer === null)
    return { kind: 'refused', why: 'the link has only one end' };
  const outcome =
    pointer.how === 'see-also' ? await tracker.update(link.tracker, { ...patch, seeAlso: pointer.url }) : null;
  if (outcome !== null && outcome.kind !== 'refused') return outcome;
  return tracker.update(link.tracker, { comment: mirroredLine(link.github.url), ...patch });
}

/**
 * What goes along with other changes only: the pointer, and the thumbs up. A tracker that refuses the whiteboard takes
 * the change without it.
 */
async function sendFirst(context: Context, link: Link, patch: BugPatch, isPointing: boolean): Promise<Outcome<Item>> {
  const { tracker: bug } = link;
  if (bug === null) return { kind: 'refused', why: 'the link has only one end' };
  const send = (sent: BugPatch) => (isPointing ? sendPointing(context, link, sent) : context.tracker.update(bug, sent));
  const counted = context.route.thumbsUp ? withThumbsUpStep(bug, link.github, patch) : patch;
  const outcome = await send(counted);
  return outcome.kind === 'refused' && counted !== patch ? send(patch) : outcome;
}

/** The only request of an update of a bug, with a comment in it; null if the update takes several requests, or none. */
export function onlyRequest(
  context: Context,
  link: Link,
  operation: UpdateOperation,
  words: Pick<BugPatch, 'comment' | 'isMarkdown'>,
): Send['send'] | null {
  const steps = stepsFor(context, link, operation, (patches) => patches.map((patch) => ({ ...patch, ...words })));
  return steps.kind === 'steps' && steps.sends.length === 1 ? (steps.sends[0]?.send ?? null) : null;
}

interface Send {
  readonly send: (link: Link, mayGoOn?: MayGoOn) => Promise<Outcome<Item>>;
  /** What of the update this one does not carry, as a later one does. */
  readonly leaves?: readonly FieldName[];
}

/** The bug that this one duplicates, unless it is hidden: then GitHub does not say which one it is. */
export function twinOf(context: RouteState, { duplicateOf }: UpdateOperation): Link | null {
  const twin = duplicateOf === null ? null : context.store.links.byBug(duplicateOf);
  return twin !== null && mayName(context, twin) ? twin : null;
}

/** A bug of another route is read once more without an account: its own route may not know yet that it was hidden. */
export async function mayNameTwin(
  { store, route, anonymousReader }: Context,
  { on, duplicateOf }: UpdateOperation,
): Promise<boolean> {
  const twin = on === 'tracker' || duplicateOf === null ? null : store.links.byBug(duplicateOf);
  if (twin === null || twin.bug === null || twin.route === route.name) return true;
  if (anonymousReader === null || !mayName({ store, route }, twin)) return false;
  try {
    return Boolean((await anonymousReader.bugs([twin.bug])).get(twin.bug));
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    return false;
  }
}

export function stepsFor(
  context: Context,
  link: Link,
  operation: UpdateOperation,
  withWords: (steps: readonly BugPatch[]) => readonly BugPatch[],
): { kind: 'wait' } | { kind: 'impossible'; why: string } | { kind: 'steps'; sends: readonly Send[] } {
  const { route, session } = context;
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return { kind: 'impossible', why: 'the link has only one end' };
  if (operation.on === 'tracker') {
    const steps = bugSteps(route, session.vocabulary, operation, bug);
    if (steps.kind === 'impossible') return steps;
    const isPointing = mayPoint(context, link, operation);
    const send =
      (patch: BugPatch, index: number) =>
      (now: Link): Promise<Outcome<Item>> =>
        index === 0 ? sendFirst(context, now, patch, isPointing) : context.tracker.update(now.tracker ?? bug, patch);
    return { kind: 'steps', sends: withWords(steps.steps).map((patch, index) => ({ send: send(patch, index) })) };
  }
  const twin = twinOf(context, operation);
  if (twin?.route === route.name && twin.state === 'live' && twin.github === null && twin.urgency !== 'none')
    return { kind: 'wait' };
  // Its own route is about to find out that it is hidden.
  if (isNaming(operation) && (twin?.github ?? null) === null) return { kind: 'wait' };
  const steps = issueSteps(
    route,
    session.vocabulary,
    operation,
    { issue, bug, past: link.base?.github ?? {} },
    twin?.github?.id ?? null,
  );
  const sendBlocker =
    (patch: IssuePatch): Send['send'] =>
    async (now) => {
      const outcome = await context.github.update(now.github ?? issue, patch);
      // If GitHub refuses a relation (usually a loop), the body says it instead, and nothing is held back.
      return outcome.kind === 'refused' ? { kind: 'applied', item: now.github ?? issue } : outcome;
    };
  const blockers = blockerSteps(operation, neighboursOf(context, link)).map((patch) => ({ send: sendBlocker(patch) }));
  const patches = withTableStep(route, steps, operation, { bug: publicBug(route, link), issue });
  return { kind: 'steps', sends: [...patches.flatMap((patch) => fieldsApart(context, issue, patch)), ...blockers] };
}

/**
 * Fields of the organisation take a request of their own. If that one has to wait, what the first one changed is
 * recorded all the same. They are compared with what was planned from, not with the answer to the first one, which may
 * show what somebody chose meanwhile.
 */
function fieldsApart({ github, route }: Context, issue: Issue, patch: IssuePatch): readonly Send[] {
  const { fields, ...rest } = patch;
  const send = (now: Link) => github.update(now.github ?? issue, rest);
  if (fields === undefined) return [{ send }];
  const planned = issue.fields === undefined ? {} : { fields: issue.fields };
  const sendFields = (now: Link, mayGoOn?: MayGoOn) =>
    github.update({ ...(now.github ?? issue), ...planned }, { fields }, mayGoOn);
  const leaves = route.labels.flatMap(({ from, field }) => (field === undefined ? [] : [from]));
  return Object.keys(rest).length === 0 ? [{ send: sendFields }] : [{ send, leaves }, { send: sendFields }];
}
