import type { Component, Keyword, Milestone, Part, Product, User } from '../world/state.ts';
import { row, type TrackerVersion, way } from './versions.ts';

/** The people of the sandbox. Only alice, the admin and bridge-insider see private things. */
export const people: readonly User[] = [
  person(1, 'admin', 'Ada Admin', ['admin', 'editbugs', 'canconfirm', 'insider', 'security', 'timetrackers', 'Secret']),
  person(2, 'alice', 'Alice Anderson', ['editbugs', 'canconfirm', 'insider', 'security', 'timetrackers']),
  person(3, 'bob', 'Bob Bølle', []),
  { ...person(4, 'disabled', 'Dora Disabled', []), disabledText: 'left the company' },
  person(5, 'bridge', 'Bridge Bot', ['editbugs', 'canconfirm']),
  person(6, 'carol', 'Carol QA', ['canconfirm']),
  person(7, 'bridge-insider', 'Bridge Bot (insider)', ['editbugs', 'canconfirm', 'insider', 'security']),
];

/** Each key is as long as a real one, but works only for this sandbox. */
function person(id: number, name: string, realName: string, groups: readonly string[]): User {
  const login = `${name}@example.test`;
  const apiKey = `${name.replace('-', '')}SandboxKey`.padEnd(40, '0');
  return { id, login, realName, groups, apiKey, password: `${name}-sandbox`, revokedKeys: [], disabledText: null };
}

const component = (id: number, name: string, owner: string, qa = ''): Component => ({
  id,
  name,
  description: `The ${name} part`,
  assignee: `${owner}@example.test`,
  qaContact: qa === '' ? '' : `${qa}@example.test`,
});

const version = (id: number, name: string): Part => ({ id, name });
const milestone = (id: number, name: string, sortKey: number): Milestone => ({ id, name, sortKey });

/** Their parts are numbered as on the measured servers: a product's first version and milestone come with it. */
export const products: readonly Product[] = [
  {
    id: 2,
    name: 'Widget',
    description: 'The main product',
    hasUnconfirmed: true,
    components: [component(2, 'Core', 'alice', 'carol'), component(3, 'UI', 'bob')],
    versions: [version(2, 'unspecified'), version(5, '1.0'), version(6, '1.1'), version(7, '2.0')],
    milestones: [milestone(2, '---', 0), milestone(5, '1.1', 10), milestone(6, '2.0', 20), milestone(7, 'Future', 90)],
    mandatoryGroups: [],
    optionalGroups: ['security'],
  },
  {
    id: 3,
    name: 'Gadget',
    description: 'The other product',
    hasUnconfirmed: false,
    components: [component(4, 'Firmware', 'alice')],
    versions: [version(3, 'unspecified'), version(8, 'A1'), version(9, 'A2')],
    milestones: [milestone(3, '---', 0), milestone(8, 'Rev B', 10)],
    mandatoryGroups: [],
    optionalGroups: [],
  },
  {
    id: 4,
    name: 'Secret',
    description: 'Not for everyone',
    hasUnconfirmed: true,
    components: [component(5, 'Vault', 'admin')],
    versions: [version(4, 'unspecified')],
    milestones: [milestone(4, '---', 0)],
    mandatoryGroups: ['security'],
    optionalGroups: [],
  },
];

export const keywords: readonly Keyword[] = [
  { name: 'crash', description: 'The program ends unexpectedly' },
  { name: 'regression', description: 'It used to work' },
  { name: 'security', description: 'It can be abused' },
];

/** Single-valued fields with a fixed list of values: the list, the default and the name in errors. */
export interface Choice {
  readonly label: string;
  readonly fallback: string;
  readonly values: readonly string[];
}

export const choiceNames = ['severity', 'priority', 'platform', 'op_sys'] as const;
export type ChoiceName = (typeof choiceNames)[number];

const choices: Readonly<Record<TrackerVersion, Readonly<Record<ChoiceName, Choice>>>> = row(
  choicesOf({ version: '5.0' }),
  choicesOf({ version: '5.2' }),
  choicesOf({ version: '5.3' }),
  choicesOf({ version: 'harmony' }),
);

/** The choices of an installation. */
export const choicesIn = ({ version }: { readonly version: TrackerVersion }): Readonly<Record<ChoiceName, Choice>> =>
  choices[version];

function choicesOf(state: { readonly version: TrackerVersion }): Readonly<Record<ChoiceName, Choice>> {
  const none = way(state, 'noPriority');
  return {
    severity: { label: 'Severity', fallback: 'normal', values: way(state, 'severities') },
    priority: { label: 'Priority', fallback: none, values: ['Highest', 'High', 'Normal', 'Low', 'Lowest', none] },
    platform: { label: 'Hardware', fallback: 'All', values: ['All', 'PC', 'Macintosh', 'Other'] },
    op_sys: { label: 'OS', fallback: 'All', values: ['All', 'Windows', 'Mac OS', 'Linux', 'Other'] },
  };
}
