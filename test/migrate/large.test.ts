import { afterAll, beforeAll, expect, test } from 'vitest';
import type { House } from '../support/bugferry.ts';
import { measure, openLarge } from './large.ts';

/**
 * The numbers of a large tracker hold for a part of it; `node test/migrate/large.ts 5000` takes a minute of computing.
 */
const bugs = 400;

/**
 * What a run asks however many bugs there are: greetings, rights, values, and a poll of each cycle; a busy machine
 * takes a few cycles more.
 */
const usual = 28;

let house: House;

beforeAll(async () => {
  house = await openLarge(bugs);
});
afterAll(() => house.close());

test('a large tracker takes little more than one request for each bug, and a second migration writes nothing', async () => {
  const first = await measure(house);
  expect(first.imported).toBeGreaterThan(bugs * 0.9);
  // Minimized copies are among them, many in one request.
  expect(first.githubPerBug, JSON.stringify([...first.github])).toBeLessThanOrEqual(1.05 + usual / bugs);
  expect(first.github.get('GET /repos/acme/widget/issues/comments/N') ?? 0).toBe(0);
  expect(first.trackerPerBug).toBeLessThanOrEqual(0.04 + usual / bugs);
  const second = await measure(house);
  expect(second.imported).toBe(0);
  expect([...second.github.keys()].filter((kind) => !kind.startsWith('GET'))).toEqual([]);
  const { code, out } = await house.run('verify');
  expect(code, out).toBe(0);
});
