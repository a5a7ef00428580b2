import { bugId, issueNumber, type Side } from '../../src/model/ids.ts';
import type { Bug, Comment, Issue } from '../../src/model/item.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import type { PlanContext } from '../../src/model/plan/plan-input.ts';
import type { Route, StatusMap, Vocabulary } from '../../src/model/route.ts';
import { type Random, random } from '../support/random.ts';
import { widgetRoute } from '../support/routes.ts';
import type { Bridge } from './bridge.ts';
import type { Core } from './core.ts';
import { rulesOf } from './label-edits.ts';
import {
  addComment,
  commentsOf,
  deleteComment,
  isOpen,
  known,
  person,
  setBug,
  setComment,
  setIssue,
  tick,
  url,
  us,
  type World,
  workflow,
} from './world.ts';

const { severity: severities, component: components, keywords } = known;
/** Labels of people that look nearly like ours. */
const theirs = ['help wanted', 'severity:', 'severity', 'component: ', 'my severity: major'];
const statuses = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED', 'NEEDINFO'];
const resolutions = ['FIXED', 'WONTFIX', 'INVALID', 'DUPLICATE'];
const titles = [
  'Crash on start',
  'crash  on start',
  'Crash',
  '  Ünïcode 🐛 title\u00a0',
  'Two\nlines',
  `Long ${'wörd '.repeat(60)}`,
  'x'.repeat(256),
];

const startAt = Date.UTC(2026, 0, 5, 8);

/** A second map: more labels, other closed statuses. */
export const richMap: StatusMap = {
  toGithub: {
    UNCONFIRMED: { state: 'open', label: 'status: new' },
    CONFIRMED: { state: 'open', label: null },
    IN_PROGRESS: { state: 'open', label: 'status: in progress' },
    RESOLVED: {
      FIXED: { state: 'completed', label: null },
      DUPLICATE: { state: 'duplicate', label: null },
      '*': { state: 'not_planned', label: null },
    },
    VERIFIED: { DUPLICATE: { state: 'duplicate', label: null }, '*': { state: 'completed', label: null } },
  },
  reopened: 'CONFIRMED',
  completed: ['RESOLVED', 'FIXED'],
  notPlanned: ['RESOLVED', 'INVALID'],
};

/** What this seed does beyond edits. Deletions and a lost database exclude each other: a database that is lost forgets tombstones,
 * and which issue belongs to a bug that has become private. */
export interface Setup {
  readonly bridge: Bridge;
  readonly loses: boolean;
  /** The bug and the issue that somebody paired by hand, while the bridge read them. */
  readonly byHand: boolean;
  readonly deletes: boolean;
  readonly hasDoubts: boolean;
}

/** A route, a tracker and a repository with things on both sides, and a bridge that has never run. */
export function setUp(core: Core, seed: number): Setup {
  const r = random(seed);
  const drawn = routeOf(r);
  // Of its own dice, so that what else a seed does stays as it is.
  const route = { ...drawn, labels: [...drawn.labels, ...rulesOf(random(seed * 17 + 5))] };
  const vocabulary = vocabularyOf(r);
  const world = worldOf(r);
  const own = { tracker: r.chance(0.8) ? us.tracker : null, github: r.chance(0.9) ? us.github : null };
  const hasDoubts = r.chance(0.4);
  const links = new Map();
  const rest = { links, commentLinks: new Map(), parked: new Map(), doubts: [], overruled: [], next: 1 };
  const turns = random(seed * 31 + Number(process.env['TURNS'] ?? 1));
  const fate = hasDoubts ? fateOf(seed) : () => 'heard' as const;
  const writesMax = r.chance(0.3) ? 1 + r.below(5) : 500;
  const loses = r.chance(0.4);
  const byHand = r.chance(0.3);
  // Where the tracker does not tell our account, nobody knows the bugs that it filed and that the bridge does not
  // remember.
  const known = loses || byHand ? { ...own, tracker: us.tracker } : own;
  const planContext: PlanContext = { route, vocabulary, isComplete: { tracker: true, github: true }, own: known };
  const bridge: Bridge = { core, world, planContext, fate, turns, writesMax, ...rest };
  if (byHand && r.chance(0.5)) pairFromBefore(world);
  return { bridge, loses, byHand, deletes: !loses && r.chance(0.6), hasDoubts };
}

/** Each operation is lost at most twice, by its own dice: other links have no part in it. */
function fateOf(seed: number) {
  const tries = new Map<string, number>();
  return ({ key }: Operation) => {
    const nth = (tries.get(key) ?? 0) + 1;
    tries.set(key, nth);
    let mix = seed + nth * 7919;
    for (const character of key) mix = Math.imul(mix ^ character.charCodeAt(0), 0x01000193);
    const draw = random(mix).next();
    if (nth > 2 || draw > 0.25) return 'heard' as const;
    return draw < 0.1 ? ('lost before' as const) : ('lost after' as const);
  };
}

function routeOf(r: Random): Route {
  const rules = [
    ...widgetRoute.labels.filter(() => r.chance(0.9)),
    ...(r.chance(0.3) ? [{ from: 'priority', as: '[{value}]', both: r.chance(0.5) } as const] : []),
  ];
  const direction = r.pick(['both', 'both', 'both', 'to-github', 'to-tracker'] as const);
  return {
    ...widgetRoute,
    direction,
    conflicts: r.pick(['newest', 'tracker', 'github', 'ask'] as const),
    labels: rules,
    status: r.chance(0.5) ? widgetRoute.status : richMap,
    selection: { ...widgetRoute.selection, openOnly: r.chance(0.1) },
  };
}

function vocabularyOf(r: Random): Vocabulary {
  return { values: r.chance(0.7) ? known : {}, workflow: r.chance(0.75) ? workflow : null };
}

function worldOf(r: Random): World {
  const world: World = {
    now: startAt,
    bugs: new Map(),
    issues: new Map(),
    comments: [],
    written: new Map(),
    writes: [],
    summaryMax: 255,
    labels: new Map(r.chance(0.3) ? [['severity: major', 'Severity: MAJOR']] : []),
    firstStatus: r.pick(['CONFIRMED', 'UNCONFIRMED']),
    theirs,
    buried: [],
  };
  for (let id = 1; id <= 3; id += 1) bugOfPeople(world, r, id);
  for (let number = 11; number <= 12; number += 1) issueOfPeople(world, r, number);
  if (r.chance(0.15)) orphan(world, r);
  return world;
}

function bugOfPeople(world: World, r: Random, id: number): void {
  const at = tick(world);
  const isPrivate = r.chance(0.1);
  const dupeOf = id > 1 && r.chance(0.2) ? bugId(1 + r.below(id - 1)) : null;
  const closed = dupeOf === null ? statusOf(r) : { status: 'RESOLVED', resolution: 'DUPLICATE' };
  const bug: Bug = {
    kind: 'bug',
    id: bugId(id),
    url: `${url.tracker}${id}`,
    product: 'Widget',
    summary: `${isPrivate ? 'SECRET ' : ''}${r.pick(titles)}`,
    ...closed,
    dupeOf,
    values: valuesOf(r),
    keywords: keywords.filter(() => r.chance(0.4)),
    whiteboard: '',
    customs: { cf_area: [], cf_impact: '---' },
    assignee: person('alice@example.test'),
    milestone: '---',
    // An issue of somebody else's repository means nothing.
    seeAlso: r.chance(0.2) ? ['https://github.com/acme/other/issues/12'] : r.chance(0.05) ? [`${url.github}99`] : [],
    isPrivate,
    creator: person('bob@example.test'),
    createdAt: at,
    changedAt: at,
  };
  world.bugs.set(id, bug);
  addComment(world, 'tracker', id, 'bob@example.test', r.chance(0.1) ? '' : token('d', world));
  for (let n = r.below(3); n > 0; n -= 1) trackerComment(world, r, id);
}

function issueOfPeople(world: World, r: Random, number: number): void {
  const at = tick(world);
  const issue: Issue = {
    kind: 'issue',
    number: issueNumber(number),
    id: 9_000_000 + number,
    url: `${url.github}${number}`,
    title: r.pick(titles).trim().slice(0, 256),
    body: r.chance(0.2) ? '' : token('b', world),
    state: 'open',
    reason: null,
    labels: [],
    assignees: [],
    milestone: null,
    author: person('mona'),
    commentCount: 0,
    isLocked: false,
    createdAt: at,
    changedAt: at,
  };
  world.issues.set(number, issue);
  for (let n = r.below(5); n > 0; n -= 1) editIssue(world, r, number, { delete: false, deface: false });
}

/** A pair from an earlier time of the bridge: a bug that our account filed names the issue. */
export function pairFromBefore(world: World): void {
  const [bug, issue] = [world.bugs.get(1), world.issues.get(11)];
  if (bug && issue)
    setBug(world, { ...bug, creator: person(us.tracker.login), seeAlso: ['https://example.test/1', issue.url] });
}

/** An issue that an earlier bridge opened for a bug that is no longer shown. */
function orphan(world: World, r: Random): void {
  issueOfPeople(world, r, 13);
  const issue = world.issues.get(13);
  if (issue)
    setIssue(world, {
      ...issue,
      author: { ...person(us.github.login), isBot: true },
      body: 'Orphan\n\n<!-- bugferry:1 acme bug=77 -->',
    });
}

const valuesOf = (r: Random) => ({
  component: r.pick(components),
  severity: r.pick(severities),
  ...(r.chance(0.8) ? { priority: r.pick(['---', 'P1']) } : {}),
});

function statusOf(r: Random): { status: string; resolution: string } {
  const status = r.pick(statuses);
  return { status, resolution: isOpen(status) ? '' : r.pick(resolutions.slice(0, 3)) };
}

/** The texts of `token` that a text holds. */
export const tokensIn = (text: string): readonly string[] => text.match(/text-[a-z]\d+-/gu) ?? [];

/** A text that occurs nowhere else, and that does not look like a commit. */
const token = (kind: string, world: World): string => `text-${kind}${(tick(world) - startAt) / 1000}-`;

/** One edit of a person on the tracker. */
export function editBug(
  world: World,
  r: Random,
  id: number,
  may: { readonly delete: boolean; readonly hide: boolean },
): void {
  const bug = world.bugs.get(id);
  if (!bug) return;
  const draw = r.next();
  if (draw < 0.2)
    setBug(world, { ...bug, summary: r.pick(titles).replace(/\s+/gu, ' ').trim().slice(0, world.summaryMax) });
  else if (draw < 0.4) setBug(world, { ...bug, dupeOf: null, ...statusOf(r) });
  else if (draw < 0.45) markDuplicate(world, r, bug);
  else if (draw < 0.55) setBug(world, { ...bug, values: { ...bug.values, severity: r.pick(severities) } });
  else if (draw < 0.65) setBug(world, { ...bug, values: { ...bug.values, component: r.pick(components) } });
  else if (draw < 0.75) setBug(world, { ...bug, keywords: toggled(bug.keywords, r.pick(keywords)) });
  else if (draw < 0.95) trackerComment(world, r, id);
  else if (draw < 0.97) setBug(world, { ...bug, isPrivate: bug.isPrivate !== may.hide });
  else if (may.delete) world.bugs.delete(id);
}

function markDuplicate(world: World, r: Random, bug: Bug): void {
  const target = r.pick([...world.bugs.keys()]);
  if (target === bug.id) return;
  setBug(world, {
    ...bug,
    status: isOpen(bug.status) ? 'RESOLVED' : bug.status,
    resolution: 'DUPLICATE',
    dupeOf: bugId(target),
  });
  addComment(
    world,
    'tracker',
    bug.id,
    'bob@example.test',
    `*** This bug has been marked as a duplicate of bug ${target} ***`,
  );
}

function trackerComment(world: World, r: Random, id: number): void {
  const isHidden = r.chance(0.1);
  const comment = addComment(
    world,
    'tracker',
    id,
    'carol@example.test',
    `${isHidden ? 'SECRET ' : ''}${token('t', world)}`,
  );
  if (isHidden)
    world.comments = world.comments.map((each) => (each.id === comment.id ? { ...each, isPrivate: true } : each));
}

/** One edit of a person on GitHub. */
export function editIssue(
  world: World,
  r: Random,
  number: number,
  may: { readonly delete: boolean; readonly deface: boolean },
): void {
  const issue = world.issues.get(number);
  if (!issue) return;
  const draw = r.next();
  const comments = commentsOf(world, 'github', number);
  if (draw < 0.15) setIssue(world, { ...issue, title: r.pick(titles).trim().slice(0, 256) });
  else if (draw < 0.3) closeOrReopen(world, r, issue);
  else if (draw < 0.35) setIssue(world, { ...issue, labels: toggled(issue.labels, 'status: in progress') });
  else if (draw < 0.45) setIssue(world, { ...issue, labels: [...issue.labels, `severity: ${r.pick(severities)}`] });
  else if (draw < 0.5)
    setIssue(world, { ...issue, labels: issue.labels.filter((label) => !/^severity: /iu.test(label)) });
  else if (draw < 0.55) setIssue(world, { ...issue, labels: [...issue.labels, `component: ${r.pick(components)}`] });
  else if (draw < 0.65) setIssue(world, { ...issue, labels: toggled(issue.labels, r.pick(keywords)) });
  else if (draw < 0.7) setIssue(world, { ...issue, labels: toggled(issue.labels, r.pick(world.theirs)) });
  else if (draw < 0.85)
    addComment(world, 'github', number, 'mona', `${token('g', world)}${r.chance(0.2) ? '\r\n' : ''}`);
  else if (draw < 0.9) editComment(world, r, comments, may.deface);
  else if (draw < 0.95)
    setIssue(world, { ...issue, body: editedBody(issue.body, token('e', world), may.deface && r.chance(0.2)) });
  else if (may.delete && draw < 0.98) deleteAny(world, r, comments);
  else if (may.delete) world.issues.delete(number);
}

function closeOrReopen(world: World, r: Random, issue: Issue): void {
  const state = r.pick(['open', 'completed', 'not_planned', 'duplicate'] as const);
  if (state === 'open') setIssue(world, { ...issue, state: 'open', reason: null });
  else {
    setIssue(world, { ...issue, state: 'closed', reason: state });
    // Some name another issue first, and correct themselves.
    for (let n = state === 'duplicate' ? r.below(3) : 0; n > 0; n -= 1) {
      const target = r.pick([...world.issues.keys()]);
      addComment(world, 'github', issue.number, 'mona', `${token('g', world)}\n\nDuplicate of #${target}`);
    }
  }
}

/** A copy that is defaced loses the marker by which it could be known. */
function editComment(world: World, r: Random, comments: readonly Comment[], mayDeface: boolean): void {
  if (comments.length === 0) return;
  const comment = r.pick(comments);
  if (comment.author.login !== us.github.login) setComment(world, comment, token('e', world));
  else if (mayDeface) setComment(world, comment, comment.text.replace(/<!--.*-->/su, '(edited)'));
}

function deleteAny(world: World, r: Random, comments: readonly Comment[]): void {
  if (comments.length === 0) return;
  const comment = r.pick(comments);
  if (comment.author.login === us.github.login) world.buried.push(...tokensIn(comment.text));
  deleteComment(world, comment);
}

/** People write above what the bridge put at the end, or over it. */
function editedBody(body: string, text: string, isDefaced: boolean): string {
  if (isDefaced) return text;
  const footer = /(?:\s*\n---\n[^\n]*\n+)?<!-- bugferry:1 [^\n]*-->$/u.exec(body);
  return footer === null ? text : `${body.slice(0, footer.index).trimEnd()}\n${text}\n\n${footer[0].trimStart()}`;
}

const toggled = (list: readonly string[], element: string): readonly string[] =>
  list.includes(element) ? list.filter((each) => each !== element) : [...list, element];

/** What one side shows of a pair, read without the core's help. */
export interface Shown {
  readonly title: string;
  readonly status: string;
  readonly severity: readonly string[];
  readonly component: readonly string[];
  readonly keywords: readonly string[];
}

export function shownByBug(route: Route, bug: Bug): Shown {
  return {
    title: plain(bug.summary),
    status: expectedView(route, bug),
    severity: [bug.values.severity ?? ''],
    component: [bug.values.component ?? ''],
    keywords: lower(bug.keywords),
  };
}

export function shownByIssue(route: Route, issue: Issue): Shown {
  const after = (prefix: string) =>
    lower(issue.labels).flatMap((label) => (label.startsWith(prefix) ? [label.slice(prefix.length)] : []));
  const spelling = (list: readonly string[], known: readonly string[]) =>
    known.filter((each) => list.includes(each.toLowerCase()));
  const label = ['status: in progress', ...(route.status === richMap ? ['status: new'] : [])].find((each) =>
    issue.labels.includes(each),
  );
  const open = label === undefined ? 'open' : `open: ${label}`;
  return {
    title: plain(issue.title),
    status: issue.state === 'open' ? open : (issue.reason ?? 'completed'),
    severity: spelling(after('severity: '), severities),
    component: spelling(after('component: '), components),
    keywords: lower(keywords).filter((each) => lower(issue.labels).includes(each)),
  };
}

/** How a bug's status has to look, as the two maps say in other words; `?` where they do not say. */
function expectedView({ status: map }: Route, { status, resolution }: Bug): string {
  if (status === 'NEEDINFO') return '?';
  if (status === 'IN_PROGRESS') return 'open: status: in progress';
  if (status === 'UNCONFIRMED' && map === richMap) return 'open: status: new';
  if (isOpen(status)) return 'open';
  if (resolution === 'DUPLICATE') return 'duplicate';
  return resolution === 'FIXED' || (status === 'VERIFIED' && map === richMap) ? 'completed' : 'not_planned';
}

/** Labels that no rule and no status map could have put there. */
export function labelsOfPeople({ labels, status }: Route, issue: Issue): readonly string[] {
  const values: Readonly<Record<string, readonly string[]>> = known;
  const ours = labels.flatMap(({ from, as }) =>
    (values[from] ?? []).map((value) => as.replace('{value}', value).toLowerCase()),
  );
  const all = new Set([...ours, 'status: in progress', ...(status === richMap ? ['status: new'] : [])]);
  const isTag = (label: string) =>
    labels.some(
      ({ as }) =>
        as !== '{value}' &&
        as !== '[{value}]' &&
        label.startsWith(as.replace('{value}', '')) &&
        label.length > as.length - '{value}'.length,
    );
  return issue.labels.filter((label) => !all.has(label.toLowerCase()) && !isTag(label)).sort();
}

export const isSameTitle = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (short.length > 200 && long.startsWith(short.replace(/…$/u, '')));
};

const plain = (title: string): string => title.replace(/\s+/gu, ' ').trim();
const lower = (list: readonly string[]): readonly string[] =>
  [...new Set(list.map((each) => each.toLowerCase()))].sort();

export const refOn = (side: Side, link: { readonly bug: number | null; readonly issue: number | null }): number =>
  (side === 'tracker' ? link.bug : link.issue) ?? 0;
