/** What the short sections of docs/operating.md and docs/mapping.md promise comes true for someone who follows them. */

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type House, openHouse } from '../support/bugferry.ts';
import { read } from './documents.ts';

let house: House;
beforeEach(async () => {
  house = await openHouse(
    (tracker) => {
      tracker.as('alice').file({ summary: 'A widget fails', description: 'Always.' });
      tracker
        .as('alice')
        .file({ summary: 'A gadget fails', description: 'It is hot.', product: 'Gadget', component: 'Firmware' });
    },
    {
      installation: {
        customFields: [{ name: 'cf_team', label: 'Team', kind: 'select', values: ['---', 'net', 'ui'] }],
      },
    },
  );
});
afterEach(() => house.close());

/** The text of a section, whatever its level. */
function sectionOf(document: string, heading: string): string {
  const [, text = ''] = read(document).split(new RegExp(`^#+ ${heading}\\n`, 'mu'));
  return text.split(/^#+ /mu)[0] ?? '';
}

const titles = (repo: string) => house.github.issues(repo).map(({ title }) => title);

test('another route: a copy with another name, product and repository', async () => {
  expect(sectionOf('docs/operating.md', 'Another route')).toMatch(/copy the route, give the copy another `name`/u);
  await house.run('once');
  house.configure((config) => {
    const copy = {
      ...config.routes[0],
      name: 'gadget',
      tracker: { product: 'Gadget' },
      create: { component: 'Firmware' },
    };
    config.routes.push({ ...copy, github: { repo: 'acme/gadget' } });
  });
  for (const command of ['check', 'plan', 'once']) expect(await house.run(command)).toMatchObject({ code: 0 });
  expect([titles('acme/widget'), titles('acme/gadget')]).toEqual([['A widget fails'], ['A gadget fails']]);
});

test('another host: a backup, the configuration and a restore, and nothing is written twice', async () => {
  const typed = sectionOf('docs/operating.md', 'Another host').replace(/\s+/gu, ' ');
  expect(typed).toMatch(
    /state backup bugferry\.backup`.*state restore bugferry\.backup`, `bugferry check` and `bugferry plan`/u,
  );
  await house.run('once');
  await house.run('once');
  const backup = join(house.folder, 'bugferry.backup');
  expect(await house.run('state', 'backup', backup)).toMatchObject({ code: 0 });
  // The other host has nothing but these two files.
  const other = join(house.folder, 'other');
  mkdirSync(other);
  copyFileSync(backup, join(other, 'bugferry.backup'));
  rmSync(house.state);
  house.configure((config) => {
    config.state = join(other, 'bugferry.db');
  });
  expect(await house.run('state', 'restore', join(other, 'bugferry.backup'))).toMatchObject({ code: 0 });
  for (const command of ['check', 'plan']) expect(await house.run(command)).toMatchObject({ code: 0 });
  const before = house.writes();
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.writes()).toBe(before);
});

test('undoing everything: the audit lists what was published, and a route to GitHub leaves nothing on the tracker', async () => {
  expect(sectionOf('docs/operating.md', 'Undoing everything')).toContain('`bugferry audit --json`');
  const seen = JSON.stringify(house.tracker.bugs());
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
  await house.run('once');
  const { code, out } = await house.run('audit', '--json');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"issue":"acme/widget#1"') });
  rmSync(house.state);
  expect(existsSync(house.state)).toBe(false);
  expect(JSON.stringify(house.tracker.bugs())).toBe(seen);
});

test('a custom field is a label by the rule that docs/mapping.md shows', async () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/u.exec(sectionOf('docs/mapping.md', 'Labels')) ?? [];
  const { labels }: { labels: readonly { from: string }[] } = parse(yaml);
  expect(labels.map(({ from }) => from)).toContain('cf_team');
  house.configure((config) => {
    config.routes[0].labels = labels;
  });
  house.tracker.as('alice').change(1, { cf_team: 'net' });
  expect(await house.run('check')).toMatchObject({ code: 0 });
  await house.run('once');
  const labelsOf = () => house.github.issues('acme/widget')[0]?.labels ?? [];
  expect(labelsOf()).toContain('team: net');
  const mona = house.github.as('mona');
  mona.unlabel('acme/widget', 1, 'team: net');
  mona.label('acme/widget', 1, 'team: ui');
  await house.run('once');
  await house.run('once');
  expect(house.tracker.bug(1)?.custom['cf_team']).toBe('ui');
});

/** What newcomers asked, by words of the README's row, and words of the section to which that leads. */
const questions: readonly (readonly [asked: string, section: string, answer: RegExp])[] = [
  ['a custom field become a label', 'docs/mapping.md#labels', /from: cf_\w+, as: "/u],
  ['I edit a comment', 'docs/mapping.md#comments', /\*\*Edited on GitHub\*\*.*\*\*Edited on the tracker\*\*/su],
  ['a move of 20,000 bugs', 'docs/migrating.md#4-migrate', /20,000 bugs six\s+to\s+ten\s+hours/u],
  ['mailed, and how do I stop mail', 'docs/notifications.md#fewer-notifications-and-mails', /direction: to-github/u],
  ['a second product, or a second repository', 'docs/operating.md#another-route', /copy the route/u],
  ['rotate a token', 'docs/operating.md#rotating-a-secret', /Replace the token or key\./u],
  ['to another host', 'docs/operating.md#another-host', /bugferry state restore/u],
  ['undo everything', 'docs/operating.md#undoing-everything', /delete a repository.*Bugzilla deletes none/su],
  ['requests does it cost', 'docs/scaling.md#cost-in-requests', /\*\*Idle\*\*: a cycle costs each route/u],
];

test.each(questions)('the README leads whoever asks "%s" to an answer', (asked, section, answer) => {
  const row = read('README.md')
    .split('\n')
    .find((line) => line.startsWith('| ') && line.includes(asked));
  expect(row).toContain(`(${section})`);
  const [document = '', anchor] = section.split('#');
  const words = anchor?.replace(/^\d-/u, '').replaceAll('-', '[ -]') ?? '';
  const [, text = ''] =
    anchor === undefined
      ? ['', read(document)]
      : read(document).split(new RegExp(`^#+ (?:\\d\\. )?${words}\\n`, 'imu'));
  expect(anchor === undefined ? text : (text.split(/^#+ /mu)[0] ?? '')).toMatch(answer);
});

test('the first page says what was never tried, and that one process is all there is', () => {
  const [page = ''] = read('README.md').split('## Find your answer');
  const words = page.replaceAll(/\s+/gu, ' ');
  expect(words).toContain('**nobody has run it against either yet**');
  expect(words).toContain('It runs as one process with one state file');
  expect(words).toContain('bugferry is not on npm yet');
});

test('the glossary has the words of the house', () => {
  const words = ['pair', 'route', 'cycle', 'sweep', 'look', 'parked', 'frozen', 'withdrawn', 'given up', 'in doubt'];
  for (const word of [...words, 'set aside', 'brake', 'ledger'])
    expect(read('docs/glossary.md')).toMatch(new RegExp(`^\\| ${word} \\| \\S`, 'mu'));
});
