import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/** A bug that was mirrored and became private, one that was never public, and a public one. */
let house: House;
const [withdrawn, never, open] = [1, 2, 3];

beforeAll(async () => {
  house = await openHouse((tracker) => {
    const alice = tracker.as('alice');
    alice.file({ summary: 'Canary title', description: 'Canary description', severity: 'major' });
    alice.comment(withdrawn, 'Canary comment');
    alice.file({ summary: 'Canary of the vault', description: 'Canary vault' });
    tracker.hide(never);
    alice.file({ summary: 'It fails', description: 'Always.' });
  });
  await house.run('once');
  house.tracker.as('alice').change(withdrawn, { summary: 'Canary title, told better' });
  await house.run('once');
  house.tracker.as('alice').change(withdrawn, { groups: { add: ['security'] } });
  await house.run('once', '--sweep');
  await house.run('once');
});
afterAll(() => house.close());

const commands: readonly (readonly string[])[] = [
  ['explain', 'bug', String(withdrawn)],
  ['explain', 'bug', String(withdrawn), '--json'],
  ['explain', 'bug', String(never)],
  ['explain', 'bug', String(never), '--json'],
  ['status', '--json'],
  ['plan', '--json'],
  ['audit'],
  ['audit', '--json'],
  ['redirects'],
  ['people', '--json'],
  ['verify'],
  ['migrate', '--dry-run', '--json', '--preview', 'preview.html'],
  ['once', '--json', '--verbose'],
];

test.each(commands.map((command) => [command.join(' '), command] as const))(
  '%s tells nothing of a bug that is not public',
  async (_, command) => {
    const { out, err } = await house.run(
      ...command.map((each) => (each.includes('.') ? join(house.folder, each) : each)),
    );
    expect(out + err).not.toContain('anary');
    expect(out + err).not.toBe('');
  },
);

test('reports and pages tell nothing of it either', async () => {
  await house.run('verify', '--html', join(house.folder, 'report.html'), '--json', join(house.folder, 'report.json'));
  await house.run('migrate', '--dry-run', '--preview', join(house.folder, 'preview.html'));
  for (const file of ['report.html', 'report.json', 'preview.html']) {
    const text = readFileSync(join(house.folder, file), 'utf8');
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toContain('anary');
  }
});

test('its number, what was done and why are told', async () => {
  const { out } = await house.run('explain', 'bug', String(withdrawn));
  expect(out).toMatch(/bug 1 = acme\/widget#\d+ {2}"Bug 1 is not public"/u);
  expect(out).toMatch(/on the issue, title was changed/u);
  expect(out).toMatch(/withdrawn from GitHub/u);
});

test('a public bug is told of in full', async () => {
  expect((await house.run('explain', 'bug', String(open), '--json')).out).toContain('It fails');
});

test('the pages tell nothing of it, and a search by its title does not find it', async () => {
  const port = await freePort();
  house.configure((config) => {
    config.http = { port };
    config.schedule = { poll: '0 0 1 1 *', sweep: '0 0 1 1 *' };
  });
  const running = house.start('run');
  await running.says('started');
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  for (const path of [
    '/',
    '/pairs',
    '/pairs?show=withdrawn',
    '/pairs?show=frozen',
    '/routes/widget',
    `/links/${withdrawn}`,
  ])
    expect([path, (await read(path)).includes('anary')]).toEqual([path, false]);
  expect(await read('/pairs')).toContain(`bug ${withdrawn}`);
  expect(await read('/pairs?q=fails')).toContain(`bug ${open}`);
  // The page repeats only what was asked for, and answers as it does to a word that nothing has.
  const answers = await Promise.all(
    ['Canary', 'Zebra'].map(async (word) => (await read(`/pairs?q=${word}`)).replaceAll(word, '')),
  );
  expect(answers[0]).toBe(answers[1]);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('a plan that takes a file away does not tell its name', async () => {
  house.configure((config) => {
    config.routes[0].attachments = { store: 'branch' };
  });
  const bytes = new TextEncoder().encode('text');
  const file = house.tracker.as('alice').attach(open, { bytes, file_name: 'canary.bin', summary: 'A file' });
  for (let count = 0; count < 3; count += 1) await house.run('once');
  expect([...house.github.files('acme/widget', 'attachments').keys()].join()).toContain('canary');
  house.tracker.as('bridge-insider').changeAttachment(file, { is_private: true });
  // The tracker shows a change when its second is over.
  let out = '';
  for (let count = 0; count < 100 && !/"what": ?"file"/u.test(out); count += 1)
    out = (await house.run('plan', '--json')).out;
  expect(out).toMatch(/"what": ?"file"/u);
  expect(out).not.toContain('canary');
});
