import { bugId, issueNumber, type Side } from '../../src/model/ids.ts';
import type { Bug, BugValues, Comment, CustomName, CustomValues, Issue } from '../../src/model/item.ts';
import type { BugDraft, BugPatch, IssueDraft, IssuePatch } from '../../src/model/plan/draft.ts';

/**
 * Two servers as a planner sees them, small and strict: they trim, re-case and cut as real ones do, and throw when they
 * are asked for what a real one refuses. Ids follow from what is created, so that the order of writes does not show in
 * them.
 */
export interface World {
  now: number;
  readonly bugs: Map<number, Bug>;
  readonly issues: Map<number, Issue>;
  comments: Comment[];
  /** How many comments each bug and issue ever had. */
  readonly written: Map<string, number>;
  /** Everything the bridge wrote, in order. */
  readonly writes: {
    readonly on: Side;
    readonly kind: 'create' | 'edit' | 'comment' | 'point';
    readonly ref: number;
  }[];
  /** Longest summary the tracker keeps. */
  readonly summaryMax: number;
  /** The spelling that GitHub's repository has for a label, by its lower case. */
  readonly labels: Map<string, string>;
  /** The status a new bug gets. */
  readonly firstStatus: string;
  /** Labels that people put on issues for themselves. */
  readonly theirs: readonly string[];
  /** Texts of copies that people deleted. */
  readonly buried: string[];
}

export const url = {
  tracker: 'https://bugs.example.test/show_bug.cgi?id=',
  github: 'https://github.com/acme/widget/issues/',
};
export const us = { tracker: { login: 'bridge@example.test' }, github: { login: 'bugferry-bot' } };

/** As measured on a stock tracker. */
export const workflow: Readonly<Record<string, readonly string[]>> = {
  UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
  CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
  IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
  RESOLVED: ['UNCONFIRMED', 'CONFIRMED', 'VERIFIED'],
  VERIFIED: ['UNCONFIRMED', 'CONFIRMED'],
};

/** The values that the tracker knows, in its spelling. */
export const known = {
  severity: ['critical', 'major', 'normal', 'minor'],
  component: ['Core', 'UI', 'Docs (old)'],
  keywords: ['regression', 'Perf', 'easy'],
  priority: ['---', 'P1', 'P2'],
  cf_area: ['docs', 'net', 'ui'],
  cf_impact: ['---', 'low', 'high'],
} as const;

/** What a server refuses: a way that the workflow does not have, or a value that it does not know. */
export class Refused extends Error {}

export const person = (login: string) => ({ login, name: login.split('@')[0] ?? login });

export function tick(world: World): number {
  world.now += 1000;
  return world.now;
}

export function fileBug(world: World, draft: BugDraft): Bug {
  const issue = Number(draft.seeAlso?.split('/').at(-1));
  const at = tick(world);
  const bug: Bug = {
    kind: 'bug',
    id: bugId(5000 + issue),
    url: `${url.tracker}${5000 + issue}`,
    product: draft.product,
    summary: kept(world, draft.summary),
    status: world.firstStatus,
    resolution: '',
    dupeOf: null,
    values: recasedValues(draft.values),
    keywords: draft.keywords.map((each) => recased('keywords', each)),
    whiteboard: draft.whiteboard ?? '',
    customs: recasedCustoms({ cf_area: [], cf_impact: '---', ...draft.customs }),
    assignee: person(draft.assignee ?? 'alice@example.test'),
    milestone: draft.milestone ?? '---',
    seeAlso: draft.seeAlso === null ? [] : [draft.seeAlso],
    isPrivate: false,
    creator: person(us.tracker.login),
    createdAt: at,
    changedAt: at,
  };
  if (world.bugs.has(bug.id)) throw new Error(`A second bug was filed for issue ${issue}`);
  world.bugs.set(bug.id, bug);
  world.writes.push({ on: 'tracker', kind: 'create', ref: bug.id });
  addComment(world, 'tracker', bug.id, us.tracker.login, draft.description);
  return bug;
}

export function openIssue(world: World, draft: IssueDraft): Issue {
  const bug = Number(/ bug=(\d+) -->$/u.exec(draft.body)?.[1]);
  const at = tick(world);
  const issue: Issue = {
    kind: 'issue',
    number: issueNumber(5000 + bug),
    id: 9_000_000 + bug,
    url: `${url.github}${5000 + bug}`,
    title: draft.title.trim(),
    body: draft.body,
    state: 'open',
    reason: null,
    labels: spelled(world, draft.labels),
    assignees: draft.assignees ?? [],
    milestone: draft.milestone ?? null,
    // GitHub hides its account only from a program.
    author: { ...person(us.github.login), isBot: true },
    commentCount: 0,
    isLocked: false,
    createdAt: at,
    changedAt: at,
  };
  if (Number.isNaN(bug)) throw new Error('An issue was opened without a marker');
  if (world.issues.has(issue.number)) throw new Error(`A second issue was opened for bug ${bug}`);
  world.issues.set(issue.number, issue);
  world.writes.push({ on: 'github', kind: 'create', ref: issue.number });
  return issue;
}

/** One PUT of the bridge. */
export function putBug(world: World, id: number, patch: BugPatch): Bug {
  const bug = world.bugs.get(id);
  if (!bug || Object.keys(patch).length === 0) throw new Error(`An empty or lost change of bug ${id}`);
  let { status, resolution, dupeOf } = bug;
  if (patch.status !== undefined && patch.status !== status) {
    if (status in workflow && !workflow[status]?.includes(patch.status))
      throw new Refused(`${status} to ${patch.status}`);
    status = patch.status;
    if (isOpen(status)) [resolution, dupeOf] = ['', null];
    else if (patch.resolution === undefined && resolution === '') throw new Refused(`${status} needs a resolution`);
  }
  if (patch.resolution !== undefined) {
    if (isOpen(status)) throw new Refused(`an open bug with resolution ${patch.resolution}`);
    if (patch.resolution === 'DUPLICATE') throw new Refused('a duplicate of what?');
    [resolution, dupeOf] = [patch.resolution, null];
  }
  if (patch.dupeOf !== undefined) {
    if (patch.dupeOf === id || !world.bugs.has(patch.dupeOf))
      throw new Refused(`bug ${id} as a duplicate of ${patch.dupeOf}`);
    [resolution, dupeOf] = ['DUPLICATE', patch.dupeOf];
    if (isOpen(status)) status = 'RESOLVED';
  }
  const added = (patch.keywords?.add ?? []).map((each) => recased('keywords', each));
  const keywords = patch.keywords ? changed(bug.keywords, { ...patch.keywords, add: added }) : bug.keywords;
  const seeAlso = patch.seeAlso === undefined ? bug.seeAlso : [...bug.seeAlso, patch.seeAlso];
  const summary = patch.summary === undefined ? bug.summary : kept(world, patch.summary);
  if (summary === '') throw new Refused('an empty summary');
  const next = {
    ...bug,
    summary,
    status,
    resolution,
    dupeOf,
    keywords,
    seeAlso,
    ...(patch.whiteboard === undefined ? {} : { whiteboard: patch.whiteboard.trim() }),
    customs: recasedCustoms({ ...bug.customs, ...patch.customs }),
    values: { ...bug.values, ...recasedValues(patch.values ?? {}) },
  };
  world.writes.push({ on: 'tracker', kind: patch.seeAlso === undefined ? 'edit' : 'point', ref: id });
  return setBug(world, next);
}

/** One PATCH of the bridge. GitHub ignores a reason unless the state changes. */
export function patchIssue(world: World, number: number, patch: IssuePatch): Issue {
  const issue = world.issues.get(number);
  if (!issue || Object.keys(patch).length === 0) throw new Error(`An empty or lost change of issue ${number}`);
  let { state, reason } = issue;
  if (patch.state !== undefined && patch.state !== state) {
    state = patch.state;
    reason = state === 'open' ? null : (patch.reason ?? 'completed');
  }
  const labels = patch.labels ? spelled(world, changed(issue.labels, patch.labels)) : issue.labels;
  const body =
    patch.footer === undefined ? issue.body : [issue.body, patch.footer].filter((part) => part !== '').join('\n\n');
  const title = patch.title === undefined ? issue.title : patch.title.trim();
  if (title === '' || [...title].length > 256) throw new Refused(`a title of ${[...title].length} characters`);
  world.writes.push({ on: 'github', kind: patch.footer === undefined ? 'edit' : 'point', ref: number });
  return setIssue(world, { ...issue, state, reason, labels, body, title });
}

/** A comment of the bridge. */
export function writeComment(world: World, on: Side, ref: number, text: string): Comment {
  world.writes.push({ on, kind: 'comment', ref });
  return addComment(world, on, ref, us[on].login, text);
}

export function addComment(world: World, side: Side, ref: number, login: string, text: string): Comment {
  const at = tick(world);
  // The number of a deleted comment is not given again.
  const count = world.written.get(`${side} ${ref}`) ?? 0;
  world.written.set(`${side} ${ref}`, count + 1);
  const id = side === 'tracker' ? ref * 1000 + count : 100_000_001 + ref * 1000 + count;
  const place = side === 'tracker' ? `${url.tracker}${ref}#c${count}` : `${url.github}${ref}#issuecomment-${id}`;
  const stored = side === 'tracker' ? text.trimEnd() : text.replaceAll('\n', '\r\n');
  const author = person(login);
  const comment: Comment = {
    side,
    id,
    ref,
    count: side === 'tracker' ? count : null,
    url: place,
    author,
    text: stored,
    isPrivate: false,
    createdAt: at,
    changedAt: at,
  };
  world.comments.push(comment);
  touch(world, side, ref);
  return comment;
}

export function setBug(world: World, bug: Bug): Bug {
  const next = { ...bug, changedAt: tick(world) };
  world.bugs.set(bug.id, next);
  return next;
}

export function setIssue(world: World, issue: Issue): Issue {
  const next = { ...issue, labels: spelled(world, issue.labels), changedAt: tick(world) };
  world.issues.set(issue.number, next);
  return next;
}

export function setComment(world: World, comment: Comment, text: string): void {
  world.comments = world.comments.map((each) =>
    each.id === comment.id ? { ...each, text, changedAt: tick(world) } : each,
  );
  touch(world, comment.side, comment.ref);
}

export function deleteComment(world: World, comment: Comment): void {
  world.comments = world.comments.filter(({ id }) => id !== comment.id);
  touch(world, comment.side, comment.ref);
}

export const commentsOf = (world: World, side: Side, ref: number): readonly Comment[] =>
  world.comments.filter((each) => each.side === side && each.ref === ref);

export const isOpen = (status: string): boolean => status !== 'RESOLVED' && status !== 'VERIFIED';

function touch(world: World, side: Side, ref: number): void {
  const bug = world.bugs.get(ref);
  if (side === 'tracker' && bug) world.bugs.set(ref, { ...bug, changedAt: world.now });
  const issue = world.issues.get(ref);
  if (side === 'github' && issue) {
    world.issues.set(ref, { ...issue, commentCount: commentsOf(world, 'github', ref).length, changedAt: world.now });
  }
}

function recasedValues(values: BugValues): BugValues {
  const { severity, component, priority } = values;
  return {
    ...values,
    ...(severity === undefined ? {} : { severity: recased('severity', severity) }),
    ...(component === undefined ? {} : { component: recased('component', component) }),
    ...(priority === undefined ? {} : { priority: recased('priority', priority) }),
  };
}

function recasedCustoms(customs: CustomValues): CustomValues {
  const one = (name: CustomName, value: string) => recased(name === 'cf_area' ? 'cf_area' : 'cf_impact', value);
  const all = Object.entries(customs).map(([name, value]) => {
    const spelled =
      typeof value === 'string' ? one(name as CustomName, value) : value.map((each) => one(name as CustomName, each));
    return [name, spelled] as const;
  });
  return Object.fromEntries(all);
}

/** The tracker takes a value in any case, and shows it in its own. */
function recased(name: keyof typeof known, value: string): string {
  const spelling = known[name].find((each) => each.toLowerCase() === value.toLowerCase());
  if (spelling === undefined) throw new Refused(`there is no ${name} named "${value}"`);
  return spelling;
}

/** The tracker makes one line of a summary, and cuts what it cannot keep. */
const kept = (world: World, summary: string): string =>
  [...summary.replace(/\s+/gu, ' ').trim()].slice(0, world.summaryMax).join('');

/** A label that the repository knows already shows in the repository's spelling. */
function spelled(world: World, labels: readonly string[]): readonly string[] {
  const names = labels.map((label) => {
    const name = world.labels.get(label.toLowerCase()) ?? label;
    world.labels.set(label.toLowerCase(), name);
    return name;
  });
  return [...new Set(names)];
}

const changed = (
  list: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): readonly string[] => [...new Set([...list.filter((each) => !remove.includes(each)), ...add])];
