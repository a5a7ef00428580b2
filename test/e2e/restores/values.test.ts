import { afterEach, beforeAll, expect, test } from 'vitest';
import type { HouseConfig } from '../../support/bugferry.ts';
import { type Bridge, repo, ways } from './bridge.ts';
import { type Deed, type Deeds, outcome, type Play, played } from './play.ts';

/**
 * I3 at the built program: whatever the bridge wrote since the backup is no edit by people. Each deed leaves both sides
 * as in a twin whose state never went anywhere.
 */
let bridge: Bridge | undefined;
afterEach(() => bridge?.close());

const configure = (config: HouseConfig): void => {
  Object.assign(config.routes[0], {
    milestones: true,
    assignee: true,
    table: ['alias', 'url', 'cc', 'flags', 'deadline', 'cf_branch'],
    status: {
      toGithub: {
        UNCONFIRMED: 'open',
        CONFIRMED: 'open',
        IN_PROGRESS: { open: { label: 'status: in progress' } },
        RESOLVED: { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' },
        VERIFIED: { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' },
      },
    },
    labels: [
      { from: 'severity', as: 'severity: {value}', both: true },
      { from: 'op_sys', as: 'system: {value}', both: true },
      { from: 'component', as: 'component: {value}', both: true },
      { from: 'keywords', as: '{value}', both: true },
      { from: 'whiteboard', as: 'tag: {value}', both: true },
      { from: 'cf_impact', as: 'impact: {value}', both: true },
      { from: 'cf_area', as: 'area: {value}', both: true },
      { from: 'priority', as: { field: 'Priority' }, both: true },
      { from: 'deadline', as: { field: 'Deadline' }, both: false },
      { from: 'platform', as: { type: '{value}' }, both: true },
    ],
  });
};
const prepare: NonNullable<Play['prepare']> = ({ github }) => {
  github.setFields(repo, [
    { name: 'Priority', kind: 'single_select', options: ['Highest', 'High', 'Normal', 'Low', 'Lowest'] },
    { name: 'Deadline', kind: 'date' },
  ]);
  github.setTypes(repo, ['PC', 'Macintosh', 'Other']);
};

type Change = Readonly<Record<string, unknown>>;
/** Somebody changes the bug, the bridge carries it over, and somebody changes it once more. */
const bug = (since: Change, meanwhile: Change, before?: Change): Deed => ({
  ...(before === undefined ? {} : { before: ({ tracker }, number) => tracker.as('admin').change(number, before) }),
  since: ({ tracker }, number) => tracker.as('admin').change(number, since),
  meanwhile: ({ tracker }, number) => tracker.as('admin').change(number, meanwhile),
});
type Mona = ReturnType<Bridge['github']['as']>;
const issue = (since: (mona: Mona, number: number) => void, meanwhile: typeof since): Deed => ({
  since: ({ github }, number) => since(github.as('mona'), number),
  meanwhile: ({ github }, number) => meanwhile(github.as('mona'), number),
});
const labelled = (one: string, other: string): Deed =>
  issue(
    (mona, number) => mona.label(repo, number, one),
    (mona, number) => {
      mona.unlabel(repo, number, one);
      mona.label(repo, number, other);
    },
  );

const closed = { status: 'RESOLVED', resolution: 'FIXED' };
const deeds: Deeds = {
  'a bug that was reopened': bug(closed, { status: 'CONFIRMED' }),
  'a title': bug({ summary: 'A' }, { summary: 'B' }),
  'another resolution': bug(closed, { resolution: 'WONTFIX' }),
  'a duplicate that is none': bug({ status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 }, { status: 'CONFIRMED' }),
  'a status that has a label': bug({ status: 'IN_PROGRESS' }, { status: 'CONFIRMED' }),
  'a component': bug({ component: 'UI' }, { component: 'Core' }),
  'a system': bug({ op_sys: 'Linux' }, { op_sys: 'Windows' }),
  'a tag in the whiteboard': bug({ whiteboard: '[one]' }, { whiteboard: '[two]' }),
  'a field of one value': bug({ cf_impact: 'high' }, { cf_impact: 'low' }),
  'a field of several values': bug({ cf_area: ['net'] }, { cf_area: ['docs', 'ui'] }),
  'a priority': bug({ priority: 'High' }, { priority: 'Low' }),
  'a deadline': bug({ deadline: '2027-01-02' }, { deadline: '2027-03-04' }),
  'a platform': bug({ platform: 'PC' }, { platform: 'Macintosh' }),
  'a milestone': bug({ target_milestone: '1.1' }, { target_milestone: '2.0' }),
  'an assignee': bug({ assigned_to: 'bob@example.test' }, { assigned_to: 'alice@example.test' }),
  'a keyword': bug({ keywords: { add: ['crash'] } }, { keywords: { remove: ['crash'] } }),
  'an alias, an address and a field of the table': bug(
    { alias: { add: ['one'] }, url: 'https://one.example.test/', cf_branch: 'one' },
    { alias: { set: ['two'] }, url: '', cf_branch: 'two' },
  ),
  'people in CC': bug(
    { cc: { add: ['bob@example.test', 'carol@example.test'] } },
    { cc: { remove: ['bob@example.test'] } },
  ),
  'a pointer': {
    before: ({ tracker }, number) => tracker.as('admin').comment(number, 'Before it.'),
    since: ({ tracker }, number) => tracker.as('admin').change(number, { severity: 'major' }),
    meanwhile: ({ tracker }, number) =>
      tracker.as('admin').change(number, { see_also: { remove: [`https://github.com/${repo}/issues/${number}`] } }),
  },
  'an issue that was reopened': issue(
    (mona, number) => mona.close(repo, number),
    (mona, number) => mona.reopen(repo, number),
  ),
  'another reason': issue(
    (mona, number) => mona.close(repo, number),
    (mona, number) => mona.close(repo, number, 'not_planned'),
  ),
  'a title on GitHub': issue(
    (mona, number) => mona.edit(repo, number, { title: 'A' }),
    (mona, number) => mona.edit(repo, number, { title: `Bug ${number}` }),
  ),
  'a label of a field': labelled('impact: high', 'impact: low'),
  'a label of a tag': labelled('tag: one', 'tag: two'),
  'a label of a component': labelled('component: UI', 'component: Core'),
  'a field of the issue': issue(
    (mona, number) => mona.setField(repo, number, 'Priority', 'High'),
    (mona, number) => mona.setField(repo, number, 'Priority', 'Low'),
  ),
  'a type': issue(
    (mona, number) => mona.type(repo, number, 'PC'),
    (mona, number) => mona.type(repo, number, 'Other'),
  ),
  'a milestone on GitHub': issue(
    (mona, number) => mona.milestone(repo, number, '1.1'),
    (mona, number) => mona.milestone(repo, number, '2.0'),
  ),
  'an assignee on GitHub': issue(
    (mona, number) => {
      mona.unassign(repo, number, 'mona');
      mona.assign(repo, number, 'hubot');
    },
    (mona, number) => {
      mona.unassign(repo, number, 'hubot');
      mona.assign(repo, number, 'mona');
    },
  ),
};

async function after(play: Play): Promise<object> {
  bridge = await played(deeds, { configure, prepare, ...play });
  // A lost state does not know that the bug has named its issue once.
  return outcome(bridge, deeds, ['lost', 'adopted'].includes(play.way) ? ['a pointer'] : []);
}

let twin: object;
beforeAll(async () => {
  twin = await after({ way: 'twin' });
  await bridge?.close();
});

test.each(ways)('the state is %s', async (way) => {
  const found = await after({ way });
  expect(twin).toMatchObject(found);
  expect(await bridge?.bugferry('status')).toMatchObject({ code: 0 });
});
