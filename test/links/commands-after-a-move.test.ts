/** A bug that moves between two routes, as people see it: `once` after an ordinary change of the product. */

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

const [old, next] = ['acme/widget', 'acme/gadget'];
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Every night.' });
    tracker.as('alice').comment(1, 'Still fails.');
  });
  house.github.addRepo(next, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
});
afterEach(() => house.close());

async function mirrored(hasBoth = true): Promise<void> {
  house.configure((config: HouseConfig) => {
    const [widget] = config.routes;
    const github = { repo: next };
    const gadget = { ...widget, name: 'gadget', tracker: { ...widget.tracker, product: 'Gadget' }, github };
    config.routes = hasBoth ? [widget, { ...gadget, create: { ...widget.create, component: 'Firmware' } }] : [widget];
  });
  for (let count = 0; count < 2; count += 1) await house.run('once');
  house.github.as('mona').comment(old, 1, 'Here as well.');
  await house.run('once');
  expect((await house.run('status')).code).toBe(0);
}

const move = () =>
  house.tracker
    .as('alice')
    .change(1, { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' });

async function expectInStep(): Promise<void> {
  for (const command of ['status', 'verify', 'audit'])
    expect(await house.run(command)).toMatchObject({ code: 0, err: '' });
  expect((await house.run('plan')).out).toContain('Nothing to write');
}

const textsOf = (repo: string): readonly string[] => house.github.commentsOf(repo, 1).map(({ body }) => body);
const holding = (texts: readonly string[], words: string): number =>
  texts.filter((text) => text.includes(words)).length;

test('it goes on in the other repository, and every command agrees', async () => {
  await mirrored();
  move();
  expect((await house.run('once')).code).toBe(0);
  expect((await house.run('status')).out).not.toMatch(/in step\s*$/mu);
  for (let count = 0; count < 2; count += 1) await house.run('once');
  expect(house.github.issue(next, 1)).toMatchObject({ title: 'It fails', state: 'open' });
  expect(house.github.issue(old, 1)).toMatchObject({ title: 'It fails', state: 'closed', isLocked: false });
  expect(house.github.issue(old, 1)?.body).toContain('[acme/gadget#1]');
  for (const words of ['Still fails.', 'Here as well.'])
    expect([holding(textsOf(next), words), holding(textsOf(old), words)]).toEqual([1, 1]);
  await expectInStep();
  expect((await house.run('explain', 'bug', '1')).out).toContain('acme/gadget#1');
  expect((await house.run('explain', `${old}#1`)).out).toContain('the issue says where it continues');
  house.github.as('mona').comment(next, 1, 'From the new house.');
  house.tracker.as('alice').comment(1, 'To the new house.');
  for (let count = 0; count < 2; count += 1) await house.run('once');
  expect(holding(textsOf(next), 'To the new house.')).toBe(1);
  const onBug = house.tracker.commentsOf(1).map(({ text }) => text);
  expect([holding(onBug, 'From the new house.'), holding(onBug, 'Here as well.')]).toEqual([1, 1]);
  await house.run('once', '--sweep');
  await house.run('resync', 'bug', '1');
  await house.run('once');
  await expectInStep();
  expect([house.github.issues(old).length, house.github.issues(next).length, house.tracker.bugs().length]).toEqual([
    1, 1, 1,
  ]);
});

test('the pair is found again after the state was lost, and the old issue gets no second bug', async () => {
  await mirrored();
  move();
  for (let count = 0; count < 3; count += 1) await house.run('once');
  for (const end of ['', '-wal', '-shm']) rmSync(`${house.state}${end}`, { force: true });
  await house.run('adopt');
  for (let count = 0; count < 3; count += 1) await house.run('once');
  expect([house.github.issues(old).length, house.github.issues(next).length, house.tracker.bugs().length]).toEqual([
    1, 1, 1,
  ]);
  expect((await house.run('status')).code).toBe(0);
});

test('without a route for it, its issue says where it went, and every command agrees', async () => {
  await mirrored(false);
  move();
  for (let count = 0; count < 3; count += 1) await house.run('once');
  expect(house.github.issue(old, 1)).toMatchObject({ title: 'It fails', state: 'closed', isLocked: false });
  await house.run('once', '--sweep');
  await expectInStep();
});
