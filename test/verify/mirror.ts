import type { Context } from '../../src/kernel/context.ts';
import type { Difference, VerifyReport } from '../../src/model/reports/verification.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { verify } from '../../src/verify/verify.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** A small mirror in which everything occurs that verify compares. */
export interface Mirror {
  readonly world: Stage;
  readonly context: Context;
  /** Ids on both sides. */
  readonly at: Places;
}

export interface Places {
  /** The bug with everything, and its issue. */
  readonly bug: number;
  readonly issue: number;
  /** A second bug, on which the first one depends. */
  readonly other: number;
  readonly otherIssue: number;
  /** Comment ids on GitHub, by the first words of what they say. */
  copy(words: string): number;
  /** The issue that mona opened, and its bug. */
  readonly opened: number;
  readonly filed: number;
  readonly closed: number;
  readonly secret: number;
}

export const mirrorRoute: Route = {
  ...widgetRoute,
  attachments: {
    store: 'branch',
    owner: 'acme',
    repo: 'widget',
    branch: 'attachments',
    tag: 'attachments',
    bytesMax: 100_000,
  },
  people: {
    github: new Map([['alice@example.test', 'mona']]),
    tracker: new Map([['mona', 'alice@example.test']]),
    nobody: [],
  },
  assignee: true,
  milestones: true,
  dependencies: true,
  table: ['url', 'depends_on'],
};

export const description =
  'It fails when I *open* a file:\n\n- of 2 GB\n- or larger\n\n> as bug 12 said\n\nTraceback at @mona #5';
export const long = `A long story.\n\n${'A line of a log that says nothing.\n'.repeat(1_800)}\nThe end of the story.`;

/** Mirrored until both sides are quiet. */
export async function mirrored(route: Route = mirrorRoute): Promise<Mirror> {
  const world = stage();
  world.github.setTypes(repo, ['High', 'Low', '---', 'Task']);
  world.github.setFields(repo, [
    { name: 'Priority', kind: 'single_select', options: ['High', 'Low', 'Urgent'] },
    { name: 'Tags', kind: 'multi_select', options: ['bob@…', 'crash', 'regression', 'team-a'] },
  ]);
  const [alice, bob, mona] = [world.tracker.as('alice'), world.tracker.as('bob'), world.github.as('mona')];
  const other = alice.file({ summary: 'The other one', description: 'Look at this.' });
  const bug = alice.file({
    summary: 'Crash on open',
    description,
    severity: 'major',
    url: 'https://example.test/crash',
  });
  alice.change(bug, {
    assigned_to: 'alice@example.test',
    target_milestone: '1.1',
    priority: 'High',
    keywords: { add: ['crash'] },
    depends_on: { add: [other] },
  });
  alice.comment(bug, 'First thought.');
  bob.comment(bug, `Second thought, like bug ${other} and comment 1.`);
  world.tracker.as('bridge-insider').comment(bug, 'Not for everybody', { isPrivate: true });
  alice.comment(bug, long);
  alice.attach(bug, {
    bytes: Uint8Array.from({ length: 3_000 }, (_, index) => index % 251),
    file_name: 'dump.bin',
    summary: 'A dump',
    comment: 'See the dump.',
  });
  const closed = alice.file({ summary: 'Done already', description: 'It was.' });
  alice.change(closed, { status: 'RESOLVED', resolution: 'FIXED' });
  const secret = alice.file({ summary: 'Top secret', description: 'Hidden words', groups: ['security'] });
  const context = contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });
  await untilQuiet(world, context);
  const issueOf = (id: number) => world.store.links.byBug(id as never)?.issue ?? 0;
  const opened = mona.open(repo, { title: 'From GitHub', body: 'It **also** fails here.' });
  mona.comment(repo, opened, `Is this #${issueOf(bug)}, or something else?`);
  await untilQuiet(world, context);
  return {
    world,
    context,
    at: {
      ...{ bug, other, closed, secret, opened },
      issue: issueOf(bug),
      otherIssue: issueOf(other),
      filed: world.store.links.byIssue(repo, opened as never)?.bug ?? 0,
      copy(words) {
        const all = world.github.issues(repo).flatMap(({ number }) => world.github.commentsOf(repo, number));
        return all.find(({ body }) => body.includes(words))?.id ?? 0;
      },
    },
  };
}

/** Cycles until nothing happens any more. */
export async function untilQuiet(world: Stage, context: Context): Promise<void> {
  for (let quiet = 0, count = 0; quiet < 2 && count < 30; count += 1) {
    world.clock.advance(61_000);
    const { plan } = await cycle(context, { isForced: true });
    quiet = plan.operations.length === 0 ? quiet + 1 : 0;
  }
}

export const verified = (context: Context, sample: number | null = null): Promise<VerifyReport> =>
  verify(context, { sample, signal: new AbortController().signal, tell: () => undefined });

/** What `verify` finds on some routes. */
export async function differencesOn(contexts: readonly Context[]): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const context of contexts)
    found.push(...(await verified(context)).pairs.flatMap(({ differences }) => differences));
  return found;
}

/** What differs, as lines. */
export const linesOf = ({ pairs }: VerifyReport): readonly string[] =>
  pairs.flatMap(({ bug, issue, differences }) =>
    differences.map(({ aspect, about, words }) => `${bug ?? '-'}=${issue ?? '-'} ${aspect}: ${about} ${words}`),
  );
