import { setAsideOf } from '../../../src/explain/set-aside.ts';
import type { Context } from '../../../src/kernel/context.ts';
import { blockedRow } from '../../../src/kernel/set-aside.ts';
import type { Route } from '../../../src/model/route.ts';
import type { Watch, WatchedWork } from '../../../src/model/runtime.ts';
import { type ContextOptions, contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../routes.ts';

export const route: Route = {
  ...widgetRoute,
  visibilityCheck: 'anonymous',
  attachments: branchRule,
  milestones: true,
  dependencies: true,
};
const limits = { ...testLimits, brakeShare: 1 };
export const words = ['One', 'POISON', 'Two'] as const;
export const [one, poison, two] = words;

type Work = (context: Context, options: { readonly isForced: boolean }) => Promise<unknown>;

/** Whose bridge takes part. */
export interface Acting {
  readonly cycle: Work;
  readonly sweep: Work;
  readonly watch: Watch;
  readonly edges?: (world: Stage) => NonNullable<ContextOptions['edges']>;
}

/** Thrown instead of work that does not end: it ends the process, as the watchdog does, which names this work. */
export class Killed extends Error {
  // No fault of ours is of this name.
  override readonly name = 'AbortError';
  readonly work: WatchedWork;

  constructor(work: WatchedWork) {
    super('the process was ended');
    this.work = work;
  }
}

/** How often in a row a cycle may be killed: once for each end of the poisoned pairs, and each part of their threads. */
const triesMax = 12;

/** People at work on three bugs. Returns what went wrong with those that say nothing of poison. */
export async function course(acting: Acting, world = stage()): Promise<readonly string[]> {
  const { tracker, github, store, clock } = world;
  const wrong: string[] = [];
  const expectThat = (isSo: boolean | undefined, what: string) => isSo || wrong.push(what);
  const run = async (work: Work) => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      clock.advance(61_000);
      const context = contextOn(world, route, { limits, edges: acting.edges?.(world) ?? {} });
      try {
        await work({ ...context, watch: acting.watch }, { isForced: false });
        return;
      } catch (error) {
        if (!(error instanceof Killed)) return wrong.push(String(Object(error).stack));
        const { work: blocked } = error;
        store.setAside.put(blockedRow(blocked, { version: context.version, at: clock.now() }));
        if (blocked.row !== undefined) store.setAside.block({ ...blocked, row: blocked.row, version: context.version });
      }
    }
    wrong.push('it was restarted again and again');
  };
  const turns = async (count: number, work = acting.cycle) => {
    for (let index = 0; index < count; index += 1) await run(work);
  };
  const issues = () => github.issues(repo);
  const issueOf = (word: string) => issues().find(({ title }) => title.startsWith(word))?.number ?? 0;
  const isKnown = (issue: number) => issue > 0;

  for (const word of words) tracker.as('alice').file({ summary: `${word} kettle`, description: `${word} leaks.` });
  for (const [index, word] of words.entries()) {
    tracker.as('alice').attach(index + 1, { bytes: Buffer.from('x'), file_name: `${word}.bin`, comment: word });
    tracker.as('bob').comment(index + 1, `${word} too`);
  }
  await turns(4);
  expectThat(isKnown(issueOf(one)) && isKnown(issueOf(two)), 'not opened');
  const healthy = new Set([issueOf(one), issueOf(two)]);

  for (const [index, word] of words.entries()) {
    tracker.as('alice').change(index + 1, { summary: `${word} pot`, severity: 'major', comment: { body: `${word}!` } });
    const issue = issueOf(word);
    if (!isKnown(issue)) continue;
    github.as('mona').comment(repo, issue, `${word} on GitHub`);
    github.as('mona').label(repo, issue, 'component: Nope');
  }
  github.as('mona').openPull(repo, { title: poison, body: poison });
  github.as('mona').open(repo, { title: `${poison} is an issue`, body: poison });
  github.as('mona').open(repo, { title: 'Pan is hot', body: 'Pan burns.' });
  await turns(3);
  expectThat(isKnown(issueOf(`${one} pot`)) && isKnown(issueOf(`${two} pot`)), 'not renamed');
  expectThat(
    [1, 3].every((bug) => tracker.commentsOf(bug).some(({ text }) => text.includes('on GitHub'))),
    'no comment from GitHub',
  );
  expectThat(
    [...tracker.state.bugs.values()].some(({ summary }) => summary === 'Pan is hot'),
    'not filed',
  );

  clock.advance(700_000);
  github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
  for (const [index, word] of words.entries()) {
    const issue = issueOf(word);
    if (isKnown(issue)) github.as('mona').edit(repo, issue, { title: `${word} in conflict` });
    tracker.as('alice').change(index + 1, { summary: `${word} decided` });
  }
  await turns(2);
  clock.advance(86_400_000);
  await turns(1, acting.sweep);
  for (const bug of [2, 3]) tracker.as('admin').change(bug, { groups: { add: ['security'] } });
  await turns(2);
  expectThat(!issues().some(({ title }) => title.startsWith(two)), 'not withdrawn');
  for (const { side, ref, about } of setAsideOf(store, route))
    expectThat(
      side === 'tracker' ? ref === 2 || tracker.bug(ref)?.summary.includes(poison) : !healthy.has(ref),
      `${about} is set aside`,
    );
  return wrong;
}
