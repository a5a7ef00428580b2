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
