import { type Bridged, repo } from './bridge.ts';

/** What there is more and more of. */
export interface Dimension {
  readonly name: string;
  readonly smallest: number;
  /** Puts so much of it on both sides. */
  readonly fill: (bridge: Bridged, size: number) => void;
  /** What people do after a first run; then only the run that follows is measured. */
  readonly later?: (bridge: Bridged, size: number) => void;
  readonly route?: (size: number) => Readonly<Record<string, unknown>>;
  /** Products beyond the usual one, each with a repository and a route of its own. */
  readonly routes?: (size: number) => readonly string[];
  readonly people?: (size: number) => Readonly<Record<string, string>>;
  /** How many creations GitHub takes, if not all. */
  readonly creations?: { readonly createsPerMinute: number; readonly createsPerHour: number };
}

const words = 'It stops after some minutes, without a word in the log. ';
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const file = ({ tracker }: Bridged, nth: number, further: Readonly<Record<string, unknown>> = {}): number =>
  Number(tracker.as('alice').file({ summary: `Bug ${nth} of many`, description: words, ...further }));

function fileMany(bridge: Bridged, size: number): void {
  for (const nth of times(size)) file(bridge, nth);
}

function commentOn(bridge: Bridged, size: number, text: (nth: number, bug: number) => string): void {
  const bug = file(bridge, 1);
  for (const nth of times(size)) bridge.tracker.as('bob').comment(bug, text(nth, bug));
}

/** An installation has more of something than the usual one, and some bugs have all of it. */
function equip(bridge: Bridged, change: Partial<Bridged['tracker']['state']>, ofBug: () => object): void {
  Object.assign(bridge.tracker.state, change);
  for (const nth of times(30)) file(bridge, nth, { ...ofBug() });
}

const keyword = (nth: number): string => `key-${nth}`;
const custom = (nth: number): string => `cf_part_${nth}`;
const product = (nth: number): string => `Part ${nth}`;
const login = (nth: number): string => `person-${nth}@example.test`;

export const dimensions: readonly Dimension[] = [
  { name: 'pairs', smallest: 40, fill: fileMany },
  {
    name: 'comments of a bug',
    smallest: 80,
    fill: (bridge, size) => commentOn(bridge, size, (nth) => `${nth}: ${words}`),
  },
  {
    name: 'parts of texts, in KB of text',
    smallest: 7,
    fill: (bridge, size) => commentOn(bridge, 10, () => 'if a<b && c<d: <e>\n'.repeat(size * 54)),
  },
  {
    name: 'references to comments',
    smallest: 80,
    fill: (bridge, size) => commentOn(bridge, size, (nth, bug) => `As comment ${nth - 1} of bug ${bug} says.`),
  },
  {
    name: 'references of a text',
    smallest: 500,
    fill: (bridge, size) =>
      commentOn(bridge, 1, (_, bug) =>
        times(size)
          .map(() => `See bug ${bug}.`)
          .join(' '),
      ),
  },
  {
    name: 'files of a bug',
    smallest: 20,
    route: () => ({ attachments: { store: 'branch', branch: 'files' } }),
    fill(bridge, size) {
      const bug = file(bridge, 1);
      for (const nth of times(size))
        bridge.tracker.as('alice').attach(bug, {
          bytes: Buffer.from(`${nth}: ${words}`),
          file_name: `log-${nth}.txt`,
          summary: `Log ${nth}`,
          content_type: 'text/plain',
        });
    },
  },
  {
    name: 'keywords, as labels',
    smallest: 10,
    route: () => ({ labels: [{ from: 'keywords', as: '{value}', both: true }] }),
    fill: (bridge, size) =>
      equip(bridge, { keywords: times(size).map((nth) => ({ name: keyword(nth), description: '' })) }, () => ({
        keywords: times(size).map(keyword),
      })),
  },
  {
    name: 'labels of the repository',
    smallest: 50,
    route: () => ({ labels: [{ from: 'keywords', as: '{value}', both: true }] }),
    fill(bridge, size) {
      fileMany(bridge, 10);
      const issue = bridge.github.as('mona').open(repo, { title: 'With labels', body: words });
      for (const nth of times(size)) {
        bridge.github.as('mona').label(repo, issue, keyword(nth));
        bridge.github.as('mona').unlabel(repo, issue, keyword(nth));
      }
    },
  },
  {
    name: 'custom fields',
    smallest: 5,
    route: (size) => ({
      labels: times(size).map((nth) => ({ from: custom(nth), as: `${nth}: {value}`, both: true })),
    }),
    fill: (bridge, size) =>
      equip(
        bridge,
        {
          customFields: times(size).map((nth) => ({
            ...{ name: custom(nth), label: custom(nth), kind: 'select', values: ['---', 'one', 'two'] },
          })),
        },
        () => Object.fromEntries(times(size).map((nth) => [custom(nth), nth % 2 === 0 ? 'one' : 'two'])),
      ),
  },
  {
    name: 'people',
    smallest: 40,
    people: (size) => Object.fromEntries(times(size).map((nth) => [login(nth), `person-${nth}`])),
    fill(bridge, size) {
      const [model] = bridge.tracker.state.users;
      const known = bridge.tracker.state.users.length;
      for (const nth of times(size)) {
        bridge.github.addUser(`person-${nth}`);
        if (model !== undefined)
          bridge.tracker.state.users.push({
            ...model,
            ...{ id: known + nth, login: login(nth), realName: `Person ${nth}`, apiKey: `key of ${nth}` },
          });
      }
      const bug = file(bridge, 1);
      for (const nth of times(size)) bridge.tracker.as(login(nth)).comment(bug, words);
    },
  },
  {
    name: 'dependencies',
    smallest: 40,
    fill(bridge, size) {
      const bugs = times(size).map((nth) => file(bridge, nth));
      bridge.tracker.as('alice').change(file(bridge, size + 1), { depends_on: { add: bugs } });
    },
  },
  {
    name: 'waiting operations',
    smallest: 80,
    creations: { createsPerMinute: 1, createsPerHour: 1 },
    fill: fileMany,
    later: () => undefined,
  },
  {
    name: 'conflicts',
    smallest: 40,
    fill: fileMany,
    later(bridge) {
      for (const { number } of bridge.github.issues(repo))
        bridge.github.as('mona').edit(repo, number, { title: `As GitHub names ${number}` });
      for (const { id } of bridge.tracker.bugs())
        bridge.tracker.as('alice').change(id, { summary: `As the tracker names ${id}` });
    },
  },
  {
    name: 'history of a bug',
    smallest: 500,
    fill(bridge, size) {
      const bug = file(bridge, 1);
      for (const nth of times(size))
        bridge.tracker.as('alice').change(bug, { priority: nth % 2 === 0 ? 'High' : 'Low' });
    },
  },
  {
    name: 'routes',
    smallest: 4,
    routes: (size) => times(size).map(product),
    fill(bridge, size) {
      for (const nth of times(size)) {
        bridge.tracker.addProduct(product(nth));
        bridge.github.addRepo(repoOf(product(nth)), { permissions: { 'bugferry-bot': 'write' } });
        for (const each of times(5)) file(bridge, each, { product: product(nth) });
      }
    },
  },
];

/** The repository of a further product. */
export const repoOf = (name: string): string => `acme/${name.toLowerCase().replace(' ', '-')}`;
