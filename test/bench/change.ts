import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, bridged, type Counted, isPoll, readsOf, repo, writesOf } from './support/bridge.ts';
import type { Line } from './support/counted-server.ts';

const about = `One change on one side of each of 99 pairs. Polls are the requests of every cycle to the tracker,
including some cycles after the last change; reads are all others. Lists are pages of a hundred, including those that
return the bridge's own writes; unchanged responses (304) do not count. The floor is one write, plus reads that all
changes of a cycle share.`;

const pairs = 99;

/** One kind of change, made once on each bug or issue. */
interface Kind {
  readonly name: string;
  make(bridge: Bridged, bug: number, issue: number): void;
}

const alice = (bridge: Bridged) => bridge.tracker.as('alice');
const mona = (bridge: Bridged) => bridge.github.as('mona');

const kinds: readonly Kind[] = [
  { name: 'tracker: title', make: (bridge, bug) => alice(bridge).change(bug, { summary: `Better ${bug}` }) },
  {
    name: 'tracker: 3 fields',
    make: (bridge, bug) =>
      alice(bridge).change(bug, { summary: `Best ${bug}`, severity: 'major', keywords: { add: ['crash'] } }),
  },
  {
    name: 'tracker: status',
    make: (bridge, bug) => alice(bridge).change(bug, { status: 'RESOLVED', resolution: 'FIXED' }),
  },
  { name: 'tracker: comment', make: (bridge, bug) => void alice(bridge).comment(bug, 'It happened again.') },
  {
    name: 'tracker: file',
    make: (bridge, bug) => void alice(bridge).attach(bug, { bytes: Buffer.from('log'), file_name: 'log.txt' }),
  },
  { name: 'github: title', make: (bridge, bug, issue) => mona(bridge).edit(repo, issue, { title: `Other ${bug}` }) },
  {
    name: 'github: 3 fields',
    make: (bridge, bug, issue) => {
      mona(bridge).edit(repo, issue, { title: `Another ${bug}` });
      mona(bridge).unlabel(repo, issue, 'severity: major');
      mona(bridge).label(repo, issue, 'severity: minor');
      mona(bridge).reopen(repo, issue);
    },
  },
  { name: 'github: state', make: (bridge, _bug, issue) => mona(bridge).close(repo, issue, 'completed') },
  {
    name: 'github: comment',
    make: (bridge, _bug, issue) => void mona(bridge).comment(repo, issue, 'It happened again.'),
  },
];

export const change: Benchmark = {
  name: 'change',
  about,
  bugsOnPage: [],
  onPage: [
    'trackerWrites',
    'githubWrites',
    'trackerPolls',
    'trackerReads',
    'githubIssueReads',
    'githubCommentLists',
    'githubOther',
    'bytesPerChange',
  ],
  async run({ report }) {
    const bridge = await mirrored(pairs);
    const measured: Measured[] = [];
    try {
      for (const kind of kinds) {
        report(kind.name);
        measured.push({ name: kind.name, numbers: await costOf(bridge, kind) });
      }
      return measured;
    } finally {
      await bridge.close();
    }
  },
};

/** So many bugs with their issues, at rest. */
export async function mirrored(count: number): Promise<Bridged> {
  const attachments = {
    store: 'branch',
    owner: 'acme',
    repo: 'widget',
    branch: 'attachments',
    tag: 'attachments',
    bytesMax: 1_000_000,
  } as const;
  const bridge = await bridged({ route: { attachments } });
  for (let index = 0; index < count; index += 1)
    alice(bridge).file({ summary: `Bug ${index}`, description: 'It fails.' });
  await bridge.settle();
  return bridge;
}

async function costOf(bridge: Bridged, { make }: Kind): Promise<Measured['numbers']> {
  const links = bridge.store.links.after('widget', null, pairs + 1);
  for (const { bug, issue } of links) make(bridge, bug ?? 0, issue ?? 0);
  bridge.mark();
  const cycles = await bridge.settle();
  return numbersOf(links.length, cycles, bridge.counted());
}

/** Issues are looked at before they are written, because GitHub has no condition for a write. */
export const isLook = ({ method, path }: Line): boolean => method === 'QUERY' || /\/issues\/\d+$/u.test(path);
export const isIssueList = ({ path }: Line): boolean => path.includes('/issues?');
const isCommentList = ({ path }: Line): boolean => path.includes('/issues/comments?');

function numbersOf(changes: number, cycles: number, { tracker, github, bytes }: Counted): Measured['numbers'] {
  const searches = tracker.filter(isPoll).length;
  const looks = readsOf(github.filter(isLook));
  const [issueLists, commentLists] = [readsOf(github.filter(isIssueList)), readsOf(github.filter(isCommentList))];
  return {
    changes,
    cycles,
    trackerWrites: writesOf(tracker) / changes,
    githubWrites: writesOf(github) / changes,
    trackerPolls: searches,
    trackerReads: readsOf(tracker) - searches,
    githubIssueReads: looks,
    githubIssueLists: issueLists,
    githubCommentLists: commentLists,
    githubOther: readsOf(github) - looks - issueLists - commentLists,
    bytesPerChange: bytes / changes,
  };
}
