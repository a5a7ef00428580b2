import { bugId, commentLinkId, issueNumber, linkId, otherSide, type Side, sides } from '../../src/model/ids.ts';
import { type Bug, type Comment, type Issue, type Item, refOf, sideOf } from '../../src/model/item.ts';
import { bodyId, type CommentCopy, type CommentLink, type Link, type NewCommentLink } from '../../src/model/link.ts';
import type { Conflict, Note, Operation, Plan, UpdateOperation } from '../../src/model/plan/operation.ts';
import type { PlanContext, PlanInput } from '../../src/model/plan/plan-input.ts';
import type { Random } from '../support/random.ts';
import type { Core } from './core.ts';
import { commentsOf, fileBug, openIssue, patchIssue, putBug, Refused, type World, writeComment } from './world.ts';

/**
 * The engine, pretended: what it would remember of two servers, in maps instead of a database, and without waiting. It
 * only does what src/engine does with the core's answers, so that the properties are the core's.
 */
export interface Bridge {
  readonly core: Core;
  readonly world: World;
  planContext: PlanContext;
  /** Which operation's answer gets lost: it may have taken effect, or not. */
  readonly fate: (operation: Operation) => 'heard' | 'lost before' | 'lost after';
  /** The order in which links take turns. */
  readonly turns: Random;
  readonly writesMax: number;
  readonly links: Map<number, Link>;
  readonly commentLinks: Map<number, CommentLink>;
  readonly parked: Map<string, string>;
  readonly doubts: Operation[];
  /** What lost by a write that was carried out. */
  readonly overruled: Conflict[];
  next: number;
}

/** One cycle: observe, settle, plan, carry out. Returns what was planned and what was set out to be done. */
export function runCycle(bridge: Bridge): { plan: Plan; operations: readonly Operation[] } {
  observe(bridge);
  for (const operation of bridge.doubts.splice(0)) settle(bridge, operation);
  const { plan, operations } = planCycle(bridge);
  for (const note of plan.notes) takeNote(bridge, note);
  drain(bridge, operations);
  return { plan, operations };
}

/** What would be planned now. */
export function planCycle(bridge: Bridge, shuffle: <T>(list: readonly T[]) => readonly T[] = (list) => list) {
  const { core, planContext, writesMax } = bridge;
  const plan = core.policy(core.plan(planContext, shuffle(planInputsOf(bridge))), planContext.route.direction);
  const isParked = (operation: Operation) => bridge.parked.get(operation.key) === JSON.stringify(operation);
  return {
    plan,
    operations: core.order(
      core.withinLimit(
        core.inTurns(core.order(plan.operations.filter((each) => !isParked(each))), () => true),
        writesMax,
      ),
    ),
  };
}

export const planInputsOf = (bridge: Bridge): readonly PlanInput[] => planInputsFor(bridge, [...bridge.links.values()]);

function planInputsFor(bridge: Bridge, wanted: readonly Link[]): readonly PlanInput[] {
  const { core, links } = bridge;
  const targets = [...links.values()].flatMap(
    (each) => core.publicTarget(bridge.planContext.route, each, commentLinksOf(bridge, each), []) ?? [],
  );
  return wanted.map((link) => {
    const commentLinks = commentLinksOf(bridge, link);
    const target = link.github?.reason === 'duplicate' ? core.duplicateNamed(link.repo, commentLinks) : null;
    const twin = target === null ? null : linkOf(bridge, 'github', target);
    return {
      link,
      commentLinks,
      targets,
      attachmentLinks: [],
      neighbours: [],
      refused: refusedOf(bridge, link),
      duplicateOf: twin?.state === 'live' ? twin.bug : null,
    };
  });
}

function refusedOf({ parked }: Bridge, { id }: Link): PlanInput['refused'] {
  const operation: Operation | null = JSON.parse(parked.get(`${id}:tracker:update`) ?? 'null');
  return operation?.kind === 'update' ? operation.target : {};
}

export const commentLinksOf = ({ commentLinks }: Bridge, { id }: Link): readonly CommentLink[] =>
  [...commentLinks.values()]
    .filter((commentLink) => commentLink.link === id)
    .sort((one, other) => one.createdAt - other.createdAt || one.id - other.id);

export function linkOf({ links }: Bridge, side: Side, ref: number): Link | null {
  return [...links.values()].find((link) => (side === 'tracker' ? link.bug : link.issue) === ref) ?? null;
}

/** Everything both servers show: items first, then threads, then the bodies of issues. */
function observe(bridge: Bridge): void {
  const { world, links } = bridge;
  for (const bug of world.bugs.values()) observeItem(bridge, bug);
  for (const issue of world.issues.values()) observeItem(bridge, issue);
  for (const side of sides) {
    for (const id of [...links.keys()]) {
      const link = links.get(id);
      if (link) observeThread(bridge, link, side);
    }
  }
  for (const link of links.values()) {
    if (link.state === 'live') readBody(bridge, link);
  }
  for (const link of links.values()) bury(bridge, link);
  for (const link of links.values()) judgeClaim(bridge, link);
}

/** As sync/observe/claims.ts: an issue that a bug names and that is not there is waited for no longer. */
function judgeClaim(bridge: Bridge, link: Link): void {
  const { world, planContext } = bridge;
  if (!planContext.isComplete.github || link.tracker === null || link.github !== null || link.claim === null) return;
  const issue = world.issues.get(link.claim);
  const isSelected = bridge.core.whyNotSelected(planContext.route, link.tracker) === null;
  if (issue === undefined && isSelected) save(bridge, { ...link, claim: null });
  else if (issue === undefined) bridge.links.delete(link.id);
  else observeItem(bridge, issue);
  const now = bridge.links.get(link.id);
  if (now?.claim === null || now?.tracker == null || bridge.core.isMadeByUs(now.tracker, planContext.own)) return;
  save(bridge, { ...now, claim: null });
}

function observeItem(bridge: Bridge, item: Item): void {
  const { core, planContext, links } = bridge;
  const side = sideOf(item);
  const ref = refOf(item);
  const own = linkOf(bridge, side, ref);
  const said = core.claimOf(planContext.route, item, planContext.own);
  const named = said === null ? null : linkOf(bridge, otherSide(side), said.ref);
  const isAwaited =
    planContext.own[side] === null &&
    bridge.doubts.some(({ kind, on, link }) => kind === 'create' && on === side && link === named?.id);
  const claim = said === null ? null : { ...said, isOurs: said.isOurs || isAwaited };
  const names = (link: Link) => link.claim === ref && (side === 'tracker' ? link.bug === null : link.issue === null);
  const claimants = [...links.values()].filter(names);
  const found = core.match(planContext.route, item, claim, { own, named, claimants }, planContext.own);
  if (found.kind === 'observe') {
    const link = found.link;
    const isThawed = link.state === 'frozen' && link.frozenBy === side && !(item.kind === 'bug' && item.isPrivate);
    const thawed = isThawed ? core.linkAfter(link, { kind: 'shown' }) : link;
    save(bridge, core.withPointers(planContext.route, withItem(thawed, item)));
  } else if (found.kind === 'bind') bind(bridge, found.keep, found.absorb, item);
  else if (found.kind === 'begin') save(bridge, withItem(oneEnded(bridge, side, found.claim), item));
}

function bind(bridge: Bridge, keep: Link, absorb: Link | null, item: Item): void {
  const { core, planContext, links, commentLinks } = bridge;
  const both = absorb === null ? keep : core.joinedLinks(keep, absorb);
  const merged =
    absorb === null
      ? null
      : core.joinedCommentLinks(commentLinksOf(bridge, keep), commentLinksOf(bridge, absorb), keep);
  if (absorb !== null) {
    for (const commentLink of commentLinksOf(bridge, absorb)) commentLinks.delete(commentLink.id);
    links.delete(absorb.id);
  }
  save(bridge, core.withPointers(planContext.route, { ...withItem(both, item), claim: null }));
  for (const commentLink of merged?.add ?? []) addCommentLink(bridge, commentLink);
  for (const commentLink of merged?.save ?? []) commentLinks.set(commentLink.id, commentLink);
}

function observeThread(bridge: Bridge, link: Link, side: Side): void {
  const { core, planContext, world, commentLinks } = bridge;
  const ref = side === 'tracker' ? link.bug : link.issue;
  if (
    ref === null ||
    link.state !== 'live' ||
    (side === 'tracker' && link.tracker?.isPrivate) ||
    !has(world, side, ref)
  )
    return;
  const thread = { ref, isWhole: true, comments: commentsOf(world, side, ref), readAt: world.now };
  const reading = core.readThread(planContext.route, link, commentLinksOf(bridge, link), side, thread, {
    own: planContext.own[side],
  });
  for (const commentLink of reading.add) addCommentLink(bridge, commentLink);
  for (const commentLink of reading.save) commentLinks.set(commentLink.id, commentLink);
  const pointed = reading.isPointed ? { ...link.pointed, tracker: true } : link.pointed;
  const read: Link = { ...link, pointed, threadReadAt: side === 'tracker' ? world.now : link.threadReadAt };
  save(bridge, read);
  if (reading.claim === null || link.issue !== null) return;
  const issueLink = linkOf(bridge, 'github', reading.claim);
  if (issueLink === null) save(bridge, { ...read, claim: reading.claim });
  else if (issueLink.bug === null && issueLink.state === 'live' && link.tracker !== null)
    bind(bridge, issueLink, read, link.tracker);
}

function readBody(bridge: Bridge, link: Link): void {
  if (link.github === null) return;
  const body = bridge.core.readBody(
    bridge.planContext.route,
    link,
    link.github,
    commentLinksOf(bridge, link),
    bridge.planContext.own.github,
  );
  if (body === null) return;
  if ('id' in body) bridge.commentLinks.set(body.id, body);
  else addCommentLink(bridge, body);
  if ('id' in body && body.copy?.id === bodyId) save(bridge, { ...link, pointed: { ...link.pointed, github: true } });
}

function bury(bridge: Bridge, link: Link): void {
  const isGone = (side: Side, ref: number | null) => ref !== null && !has(bridge.world, side, ref);
  if (isGone('tracker', link.bug) || isGone('github', link.issue))
    save(bridge, bridge.core.linkAfter(link, { kind: 'deleted', reason: 'deleted' }));
}

/** Links take turns at random; the operations of one link keep their order. */
function drain(bridge: Bridge, operations: readonly Operation[]): void {
  const queues = [...Map.groupBy(operations, ({ link }) => link).values()].map((list) => [...list]);
  const waiting = new Set(
    operations.filter(({ kind, on }) => kind === 'create' && on === 'github').map(({ link }) => link),
  );
  while (queues.length > 0) {
    const index = bridge.turns.below(queues.length);
    const operation = queues[index]?.shift();
    const goesOn = operation !== undefined && perform(bridge, operation, waiting);
    if (!goesOn || queues[index]?.length === 0) queues.splice(index, 1);
  }
}

/** Returns whether the later operations of the link may follow. */
function perform(bridge: Bridge, operation: Operation, waiting: Set<number>): boolean {
  const link = bridge.links.get(operation.link);
  if (link?.state !== 'live') return false;
  try {
    return carryOut(bridge, link, operation, waiting);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Where the tracker does not tell what it takes, a wish is tried and may be refused; else it must not be wished.
    const { workflow, values } = bridge.planContext.vocabulary;
    if (workflow !== null && values.severity !== undefined) throw error;
    bridge.parked.set(operation.key, JSON.stringify(operation));
    return operation.kind !== 'create';
  }
}

function carryOut(bridge: Bridge, link: Link, operation: Operation, waiting: Set<number>): boolean {
  const { world } = bridge;
  const fate = bridge.fate(operation);
  if (fate === 'lost before') return doubt(bridge, operation);
  if (operation.kind === 'update') return update(bridge, link, operation, waiting, fate);
  if (operation.kind === 'create') {
    if ((operation.on === 'tracker' ? link.bug : link.issue) !== null) return true;
    const item = operation.on === 'tracker' ? fileBug(world, operation.draft) : openIssue(world, operation.draft);
    if (fate === 'lost after') return doubt(bridge, operation);
    recordCreate(bridge, link, operation, item);
    waiting.delete(link.id);
  } else if (operation.kind === 'comment') {
    const ref = operation.on === 'tracker' ? link.bug : link.issue;
    const commentLink = bridge.commentLinks.get(operation.commentLink);
    if (ref === null || !commentLink) throw new Error(`${operation.key} before its counterpart`);
    if (operation.part > 1 && !bridge.core.isPartWanted(operation, commentLink, commentLinksOf(bridge, link)))
      return true;
    const text = textOf(bridge, link, operation);
    if (text === null) return false;
    const comment = writeComment(world, operation.on, ref, text);
    if (fate === 'lost after') return doubt(bridge, operation);
    recordComment(bridge, link, operation, commentLink, comment);
  } else if (operation.kind === 'remark') {
    const comment = writeComment(
      world,
      'github',
      link.issue ?? 0,
      bridge.core.renderRemark(bridge.planContext, link, operation) ?? '',
    );
    if (fate === 'lost after') return doubt(bridge, operation);
    addOwn(bridge, link, comment, operation.remark);
  } else {
    const pointer =
      operation.kind === 'point' ? bridge.core.pointerOf(bridge.planContext.route, link, operation.on) : null;
    if (pointer === null) throw new Error(`${operation.key} before its counterpart`);
    const item = point(world, link, pointer);
    if (fate === 'lost after') return doubt(bridge, operation);
    const seen = 'kind' in item ? withItem(link, item) : link;
    save(bridge, { ...seen, pointed: { ...link.pointed, [operation.on]: true } });
    if (!('kind' in item)) addOwn(bridge, link, item);
  }
  return true;
}

/**
 * As in the engine, words are written when they are sent. Null for what may not be said. Nobody acts between a plan and
 * its end here, so a text that is another by then was never one to be written.
 */
function textOf(bridge: Bridge, link: Link, operation: Operation<'comment'>): string | null {
  const [input] = planInputsFor(bridge, [link]);
  const rendering = input === undefined ? null : bridge.core.render(bridge.planContext.route, input, operation);
  if (rendering?.kind === 'moved') throw new Error(`${operation.key} names no text`);
  return rendering?.kind === 'text' ? rendering.text : null;
}

function point(world: World, link: Link, pointer: NonNullable<ReturnType<Core['pointerOf']>>): Item | Comment {
  if (pointer.how === 'footer') return patchIssue(world, link.issue ?? 0, { footer: pointer.footer });
  if (pointer.how === 'see-also') return putBug(world, link.bug ?? 0, { seeAlso: pointer.url });
  return writeComment(world, 'tracker', link.bug ?? 0, pointer.text);
}

function update(bridge: Bridge, link: Link, operation: UpdateOperation, waiting: Set<number>, fate: string): boolean {
  const { core, planContext, world } = bridge;
  const sends: (() => Item)[] = [];
  if (link.tracker === null || link.github === null) throw new Error(`${operation.key} before its counterpart`);
  if (operation.on === 'tracker') {
    const steps = core.bugSteps(
      planContext.route,
      planContext.vocabulary,
      operation,
      fresh(world.bugs, link.tracker.id),
    );
    if (steps.kind === 'impossible') throw new Refused(steps.why);
    for (const patch of steps.steps) sends.push(() => putBug(world, link.bug ?? 0, patch));
  } else {
    const twin = operation.duplicateOf === null ? null : linkOf(bridge, 'tracker', operation.duplicateOf);
    if (twin !== null && waiting.has(twin.id)) return false;
    const issue = fresh(world.issues, link.github.number);
    const steps = core.issueSteps(
      planContext.route,
      planContext.vocabulary,
      operation,
      { issue, bug: fresh(world.bugs, link.tracker.id), past: link.base?.github ?? {} },
      twin?.github?.id ?? null,
    );
    for (const patch of steps) sends.push(() => patchIssue(world, link.issue ?? 0, patch));
  }
  let current = link;
  for (const [index, send] of sends.entries()) {
    const item = send();
    if (fate === 'lost after') return doubt(bridge, operation);
    current = withItem(current, item);
    if (index < sends.length - 1) current = stepped(bridge, current, operation);
  }
  save(bridge, {
    ...current,
    base: core.advance(current.base, operation.on, operation, fieldsOn(bridge, current, operation.on)),
  });
  bridge.overruled.push(...operation.overruled);
  return true;
}

/** One step of several: everything but the status has arrived, and the status is on its way. */
function stepped(bridge: Bridge, link: Link, operation: UpdateOperation): Link {
  const { core } = bridge;
  const { status: source, ...rest } = operation.source;
  const shown = fieldsOn(bridge, link, operation.on);
  const base = core.advance(link.base, operation.on, { ...operation, source: rest }, shown);
  const isOnItsWay = source !== undefined && typeof shown.status === 'string';
  return { ...link, base: isOnItsWay ? core.midway(base, shown.status) : base };
}

function recordCreate(bridge: Bridge, link: Link, operation: Operation & { kind: 'create' }, item: Item): void {
  const { core } = bridge;
  const seen = withItem(link, item);
  const base = core.baseOfCreated(operation.on, operation, fieldsOn(bridge, seen, operation.on));
  save(bridge, { ...seen, claim: null, pointed: { ...link.pointed, [operation.on]: true }, base });
  const commentLink = operation.commentLink === null ? undefined : bridge.commentLinks.get(operation.commentLink);
  if (!commentLink) return;
  const { parts } = operation;
  const { digest: mirrored, isStale } = commentLink;
  const copy = item.kind === 'bug' ? null : copyWith(bodyId, core.bodyDigest(item.body));
  const copied = core.commentAfter(commentLink, { kind: 'copied', copy, mirrored, parts, isStale });
  bridge.commentLinks.set(commentLink.id, item.kind === 'bug' || parts > 1 ? copied : { ...copied, text: null });
}

const copyWith = (id: number, digest: string): CommentCopy => ({ id, digest, isEdited: false, minimize: null });

function recordComment(
  bridge: Bridge,
  link: Link,
  operation: Operation & { kind: 'comment' },
  commentLink: CommentLink,
  comment: Comment,
): void {
  const { digest, part, parts } = operation;
  const { core } = bridge;
  const copied = {
    kind: 'copied',
    copy: copyWith(comment.id, core.digestOf(comment.text)),
    mirrored: digest,
    parts,
  } as const;
  if (part > 1) {
    const { id: _id, ...first } = commentLink;
    const fresh = core.newCommentLink({ ...first, text: null, digest, count: null }, null);
    addCommentLink(bridge, { ...core.commentAfter(fresh, { ...copied, isStale: false }), part });
    return;
  }
  if (operation.tells === 'edit') {
    const reported = { ...commentLink, mirrored: digest, parts, before: null };
    bridge.commentLinks.set(
      commentLink.id,
      commentLink.copy?.id === bodyId ? core.withCopy(commentLink, { digest }) : reported,
    );
    addOwn(bridge, link, comment);
    return;
  }
  const text = commentLink.origin === 'github' || parts > 1 ? commentLink.text : null;
  const count = commentLink.count ?? comment.count;
  const { isStale } = commentLink;
  bridge.commentLinks.set(commentLink.id, { ...core.commentAfter(commentLink, { ...copied, isStale }), text, count });
}

function addOwn(bridge: Bridge, link: Link, comment: Comment, remark?: string): void {
  const { id, side, count, author, url, createdAt, text } = comment;
  const { core } = bridge;
  const place = { link: link.id, source: id, count, author, url, createdAt };
  const says = { text: null, digest: core.digestOf(text), ...(remark === undefined ? {} : { remark }) };
  addCommentLink(bridge, core.newCommentLink({ ...core.originOn(side), ...place, ...says }, 'the bridge wrote it'));
}

function doubt(bridge: Bridge, operation: Operation): false {
  bridge.doubts.push(operation);
  if (operation.kind === 'update') bridge.overruled.push(...operation.overruled);
  return false;
}

/** What was observed meanwhile has paired copies and bound counterparts; only the base is left. */
function settle(bridge: Bridge, operation: Operation): void {
  const { core } = bridge;
  const link = bridge.links.get(operation.link);
  if (!link || (operation.kind !== 'update' && operation.kind !== 'create')) return;
  const shown = fieldsOn(bridge, link, operation.on);
  if (operation.kind === 'update') {
    save(bridge, { ...link, base: core.settleFields(link.base, operation.on, operation, operation.via, shown) });
  } else if (link.base === null && link.bug !== null && link.issue !== null) {
    const first = operation.on === 'github' ? { status: 'open' } : {};
    save(bridge, {
      ...link,
      base: core.baseOfCreated(operation.on, operation, { ...shown, ...first, ...operation.target }),
    });
  }
}

function takeFresh({ commentLinks }: Bridge, id: CommentLink['id']): void {
  const commentLink = commentLinks.get(id);
  if (commentLink) commentLinks.set(id, { ...commentLink, isStale: false, text: null });
}

function takeNote(bridge: Bridge, note: Note): void {
  const link = bridge.links.get(note.link);
  if (!link) return;
  if (note.kind === 'agree') save(bridge, { ...link, base: note.base });
  else if (note.kind === 'freeze')
    save(bridge, bridge.core.linkAfter(link, { kind: 'vanished', by: 'tracker', reason: note.reason }));
  else takeFresh(bridge, note.commentLink);
}

function fieldsOn({ core, planContext }: Bridge, link: Link, side: Side) {
  const tracker = link.tracker === null ? {} : core.bugFields(planContext.route, link.tracker);
  if (side === 'tracker' || link.github === null) return tracker;
  return core.issueFields(planContext.route, planContext.vocabulary, link.github, link.base?.github ?? {}, tracker)
    .fields;
}

function save(bridge: Bridge, link: Link): void {
  bridge.links.set(link.id, link);
}

function addCommentLink(bridge: Bridge, commentLink: NewCommentLink): void {
  const isTwin = [...bridge.commentLinks.values()].some(
    ({ link, origin, source, part, digest }) =>
      link === commentLink.link &&
      origin === commentLink.origin &&
      source === commentLink.source &&
      part === commentLink.part &&
      (part === 1 || digest === commentLink.digest),
  );
  if (isTwin)
    throw new Error(
      `Link ${commentLink.link} has a comment link for ${commentLink.origin} comment ${commentLink.source} already`,
    );
  const id = commentLinkId(bridge.next++);
  bridge.commentLinks.set(id, { ...commentLink, id });
}

function withItem(link: Link, item: Item): Link {
  return item.kind === 'bug' ? { ...link, bug: item.id, tracker: item } : { ...link, issue: item.number, github: item };
}

function oneEnded(bridge: Bridge, origin: Side, claim: number | null): Link {
  const none = { bug: null, issue: null, base: null, tracker: null, github: null, threadReadAt: null };
  const { route } = bridge.planContext;
  const place = { id: linkId(bridge.next++), route: route.name, repo: `${route.owner}/${route.repo}` };
  return {
    ...none,
    ...place,
    origin,
    claim,
    ...{ state: 'live', reason: null, frozenBy: null },
    urgency: 'live',
    pointed: { tracker: false, github: false },
    visibility: null,
    isWithdrawn: false,
    movedTo: null,
    takenFrom: null,
    formerly: [],
  };
}

function fresh<I extends Bug | Issue>(items: ReadonlyMap<number, I>, ref: number): I {
  const item = items.get(ref);
  if (!item) throw new Error(`Nothing is left of ${ref}`);
  return item;
}

const has = (world: World, side: Side, ref: number): boolean =>
  side === 'tracker' ? world.bugs.has(bugId(ref)) : world.issues.has(issueNumber(ref));
