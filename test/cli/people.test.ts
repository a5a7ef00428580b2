import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Roster } from '../../src/model/reports/roster.ts';
import { type House, openHouse } from '../support/bugferry.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse((tracker) => {
    const bug = tracker.as('bob').file({ summary: 'Crash', product: 'Widget', component: 'Core' });
    tracker.as('alice').comment(bug, 'Me too');
    tracker.as('carol').comment(bug, 'Confirmed');
    tracker.as('carol').comment(bug, 'And again');
  });
  house.github.addUser('carol-qa');
  house.github.as('carol-qa').open('acme/widget', { title: 'From GitHub', body: 'x' });
  house.configure((config) => {
    config.people = { 'alice@example.test': 'mona' };
  });
  await house.run('once');
  await house.run('once');
});
afterAll(() => house.close());

test('lists everyone with their roles; mapped people with their login, others with a proposal', async () => {
  const { code, out } = await house.run('people');
  expect(code).toBe(0);
  const line = (login: string) => out.split('\n').find((each) => each.includes(login)) ?? '';
  expect(line('bob@example.test')).toMatch(/bob@example\.test +1 +0 +0 +-$/u);
  expect(line('alice@example.test')).toMatch(/ +0 +2 +1 +mona$/u);
  expect(line('carol@example.test')).toMatch(/ +0 +0 +2 +-( perhaps carol-qa \(the same name\))?$/u);
  expect(out).toContain('1 of 3 tracker logins are mapped');
});

test('prints a file that can be used at once', async () => {
  const { out } = await house.run('people', '--csv');
  expect(out).toContain('tracker,github,proposal,name,reported,assigned,commented\n');
  expect(out).toContain('alice@example.test,mona,,Alice Anderson,0,2,1\n');
  expect(out).toMatch(/^bob@example\.test,,,Bob Bølle,1,0,0$/mu);
  writeFileSync(join(house.folder, 'people.csv'), out.replace('bob@example.test,,', 'bob@example.test,hubot,'));
  house.configure((config) => {
    config.peopleFile = 'people.csv';
  });
  const [roster] = (await house.run('people', '--json')).json<Roster>();
  expect(roster?.tracker.filter(({ mapped }) => mapped !== null).map(({ login, mapped }) => [login, mapped])).toEqual([
    ['alice@example.test', 'mona'],
    ['bob@example.test', 'hubot'],
  ]);
});
