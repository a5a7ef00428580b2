import type { Benchmark, Measured } from '../benchmark.ts';
import { bridgeTo, carry } from '../migrate.ts';
import { type Bridged, repo, writesOf } from '../support/bridge.ts';
import { naiveImporter } from './naive.ts';

const about = `A whole tracker into an empty repository, by both writers of bugferry and by a naive importer with one
request for each issue, comment and closing. "again" looks for changes. Every fiftieth bug is private, and the key may
read it. "other" dates and reasons are those of issues that differ from their bug. The clock is virtual.`;

export const importers: Benchmark = {
  name: 'importer',
  about,
  bugsOnPage: [300],
  onPage: [
    'githubRequests',
    'githubWrites',
    'trackerRequests',
    'bytes',
    'virtualHours',
    'againGithubRequests',
    'againBytes',
    'issues',
    'publishedPrivateBugs',
    'otherDates',
    'otherReasons',
  ],
  async run({ bugs, report }) {
    const measured: Measured[] = [];
    for (const [name, runOf] of ways) {
      const bridge = await privatelyBridged(bugs);
      try {
        report(name);
        measured.push({ name, numbers: await importedNumbers(bridge, runOf(bridge)) });
      } finally {
        await bridge.close();
      }
    }
    return measured;
  },
};

/** What carries a tracker over; called again, it looks for what has changed. */
type Run = () => Promise<void>;

const quiet = (): void => undefined;
const ways: readonly (readonly [string, (bridge: Bridged) => Run])[] = [
  ['bugferry, import', (bridge) => () => carry(bridge, 'import', quiet)],
  ['bugferry, api', (bridge) => () => carry(bridge, 'api', quiet)],
  ['naive importer', naiveImporter],
];

async function privatelyBridged(bugs: number): Promise<Bridged> {
  const bridge = await bridgeTo(bugs);
  const { tracker } = bridge;
  const account = tracker.user('bridge');
  Object.assign(account, { groups: [...account.groups, 'security'] });
  for (const [nth, { id }] of tracker.bugs().entries()) if (nth % 50 === 0) tracker.hide(id);
  return bridge;
}

async function importedNumbers(bridge: Bridged, run: Run): Promise<Measured['numbers']> {
  const begunAt = bridge.context.clock.now();
  bridge.mark();
  await run();
  const first = bridge.counted();
  const virtualHours = (bridge.context.clock.now() - begunAt) / 3_600_000;
  bridge.mark();
  await run();
  const again = bridge.counted();
  const bugs = bridge.tracker.bugs().length;
  return {
    bugs,
    githubRequests: first.github.length,
    githubWrites: writesOf(first.github),
    trackerRequests: first.tracker.length,
    bytes: first.bytes,
    virtualHours,
    againGithubRequests: again.github.length,
    againTrackerRequests: again.tracker.length,
    againBytes: again.bytes,
    ...flawsOf(bridge),
  };
}

/** The title ends with the summary of its bug in all ways. */
function flawsOf({ tracker, github }: Bridged) {
  const pairs = github.issues(repo).flatMap((issue) => {
    const bug = tracker.bugs().find(({ summary }) => issue.title.endsWith(summary));
    return bug === undefined ? [] : [{ bug, issue }];
  });
  const reasonOf = (resolution: string) => (resolution === 'WONTFIX' ? 'not_planned' : null);
  return {
    issues: pairs.length,
    publishedPrivateBugs: pairs.filter(({ bug }) => bug.groups.length > 0).length,
    otherDates: pairs.filter(({ bug, issue }) => bug.createdAt !== issue.createdAt).length,
    otherReasons: pairs.filter(({ bug, issue }) => reasonOf(bug.resolution) !== issue.stateReason).length,
  };
}
