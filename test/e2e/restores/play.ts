import { expect } from 'vitest';
import type { TrackerBug } from '../../../src/sandbox/tracker/world/state.ts';
import type { House, HouseConfig } from '../../support/bugferry.ts';
import { pause } from '../process.ts';
import { type Bridge, openBridge, repo, type Way } from './bridge.ts';

export type World = Pick<House, 'tracker' | 'github'>;
type Act = (world: World, number: number) => void;

/** What people do to one bug and its issue, which have the same number. */
export interface Deed {
  /** A person opened the issue, and the bug is its copy. */
  readonly isFromGithub?: true;
  /** Before the backup. */
  readonly before?: Act;
  /** After it. The bridge carries this over, and knows nothing of that later. */
  readonly since?: Act;
  /** Then, while no bridge runs. */
  readonly meanwhile?: Act;
  /** After the state came back, and some cycles. */
  readonly later?: Act;
}
export type Deeds = Readonly<Record<string, Deed>>;

export interface Play {
  readonly way: Way;
  readonly configure?: (config: HouseConfig) => void;
  readonly prepare?: (world: World) => void;
  /** How many cycles the backup is old before people act. */
  readonly age?: number;
  /** After how many requests to GitHub the first cycle is killed. */
  readonly killedAfter?: number;
  /** As soon as the state came back. */
  readonly returned?: (bridge: Bridge) => Promise<void>;
  /** Some cycles later. */
  readonly between?: (bridge: Bridge) => Promise<void>;
}

/** Each deed on a pair of its own; the first pair is nobody's. */
export async function played(deeds: Deeds, play: Play): Promise<Bridge> {
  const entries = Object.values(inOrder(deeds));
  const filed = entries.filter(({ isFromGithub }) => isFromGithub === undefined).length + 1;
  const bridge = await openBridge((tracker) => {
    for (let number = 1; number <= filed; number += 1)
      tracker.as('alice').file({ summary: `Bug ${number}`, description: `It fails ${number} times.` });
  }, play.configure);
  play.prepare?.(bridge);
  const all = (when: 'before' | 'since' | 'meanwhile' | 'later'): void => {
    for (const [index, deed] of entries.entries()) deed[when]?.(bridge, index + 2);
  };
  await bridge.settled();
  for (let number = filed + 1; number <= entries.length + 1; number += 1) {
    bridge.github.as('mona').open(repo, { title: `Bug ${number}`, body: `It fails ${number} times.` });
    await bridge.turns(1);
  }
  const summaries = bridge.tracker.bugs().map(({ summary }) => summary);
  expect(bridge.github.issues(repo).map(({ title }) => title)).toEqual(summaries);
  all('before');
  await bridge.settled();
  await bridge.backUp();
  await bridge.turns(play.age ?? 0);
  all('since');
  await bridge.settled();
  await pause(1_100);
  all('meanwhile');
  await bridge.comesBack(play.way, play.killedAfter);
  await play.returned?.(bridge);
  await bridge.settled();
  await play.between?.(bridge);
  all('later');
  await bridge.settled();
  return bridge;
}

const inOrder = (deeds: Deeds): Deeds =>
  Object.fromEntries(
    Object.entries(deeds).toSorted(
      ([, one], [, other]) => Number(one.isFromGithub ?? 0) - Number(other.isFromGithub ?? 0),
    ),
  );

/** Both sides as people see them after a play: the pair of each deed, those that were new since, and files. */
export function outcome(bridge: Bridge, deeds: Deeds, except: readonly string[] = []) {
  const names = Object.keys(inOrder(deeds));
  const pairs = Object.fromEntries(
    names.filter((name) => !except.includes(name)).map((name) => [name, shown(bridge, names.indexOf(name) + 2)]),
  );
  const newer = bridge.tracker.bugs().flatMap(({ id }) => (id > names.length + 1 ? [shown(bridge, id)] : []));
  return { pairs, newer, files: bridge.files() };
}

const bugFields = [
  ...([
    'summary',
    'status',
    'resolution',
    'severity',
    'priority',
    'version',
    'component',
    'product',
    'platform',
  ] as const),
  ...(['op_sys', 'whiteboard', 'see_also', 'depends_on', 'dupe_of', 'alias', 'url', 'custom', 'cc'] as const),
  ...(['assigned_to', 'target_milestone', 'keywords', 'groups', 'deadline'] as const),
];
const onBug = (bug: TrackerBug): object => Object.fromEntries(bugFields.map((name) => [name, bug[name]]));

/** All that people see of a pair, without what differs from run to run. */
export function shown({ tracker, github, trackerUrl, githubUrl }: Bridge, number: number): unknown {
  const [bug, issue] = [tracker.bug(number), github.issue(repo, number)];
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, duplicateOfId, ...onIssue } = { ...issue };
  const copies = github.commentsOf(repo, number).map(({ body, minimized }) => `${minimized ?? ''} ${body}`);
  const plain = JSON.stringify({
    bug: bug === null ? null : onBug(bug),
    said: tracker
      .commentsOf(number)
      .map(({ text }) => text)
      .toSorted(),
    issue: { ...onIssue, isDuplicate: duplicateOfId != null, labels: onIssue.labels?.toSorted() },
    copies: copies.toSorted(),
  });
  return JSON.parse(
    plain
      .replaceAll(trackerUrl, 'https://tracker')
      .replaceAll(githubUrl, 'https://github')
      .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?Z?/gu, 'then')
      .replace(/issuecomment-\d+/gu, 'issuecomment')
      // A state that is older than an edit does not know the words before it.
      .replace(/\[-[^\]]*-\]|\{\+|\+\}/gu, ''),
  );
}
