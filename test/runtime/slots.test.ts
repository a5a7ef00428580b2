import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { createTask } from 'node-cron';
import { describe, expect, test } from 'vitest';
import { slotsOf } from '../../src/runtime/slots.ts';

const at = (text: string): number => Date.parse(text);
const shown = (slot: number | null): string => (slot === null ? 'never' : new Date(slot).toISOString());

describe('the next moment of an expression', () => {
  test.each([
    ['*/1 * * * *', '2026-10-25T00:59:30Z', '2026-10-25T01:00:00.000Z'],
    ['*/1 * * * *', '2026-10-25T01:00:00Z', '2026-10-25T01:01:00.000Z'],
    ['17 3 * * *', '2026-11-26T03:16:59.999Z', '2026-11-26T03:17:00.000Z'],
    ['17 3 * * *', '2026-11-26T03:17:00Z', '2026-11-27T03:17:00.000Z'],
    ['*/5 * * * * *', '2026-12-31T23:59:55.001Z', '2027-01-01T00:00:00.000Z'],
    ['30 5,3 * * sun', '2026-11-26T00:00:00Z', '2026-11-29T03:30:00.000Z'],
    ['0 0 31 * *', '2026-01-31T00:00:00Z', '2026-03-31T00:00:00.000Z'],
    ['0 0 29 2 *', '2026-11-26T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 29 2 7', '2081-01-01T00:00:00Z', '2088-02-29T00:00:00.000Z'],
    ['0 0 29 2 mon', '2072-03-01T00:00:00Z', '2112-02-29T00:00:00.000Z'],
    ['*/1 * * * *', '1970-01-01T00:00:00Z', '1970-01-01T00:01:00.000Z'],
  ])('of "%s" after %s', (expression, from, next) => {
    expect(shown(slotsOf(expression).after(at(from)))).toBe(next);
  });

  test('is one that the library finds, too, and it finds none before', () => {
    for (const expression of ['*/7 */5 * * *', '11 22 1-7 */3 *', '5 4 * jan-jun mon-fri', '0 12 13 * 5']) {
      const task = createTask(expression, () => undefined, { timezone: 'UTC' });
      const slots = slotsOf(expression);
      for (let from = at('2026-03-28T22:50:00Z'), count = 0; count < 20; count += 1) {
        const next = slots.after(from);
        if (next === null) throw new Error(`${expression} has no moment`);
        expect([expression, shown(next), task.match(new Date(next))]).toEqual([expression, shown(next), true]);
        for (
          let between = Math.floor(from / 60_000 + 1) * 60_000;
          between < Math.min(next, from + 3 * 86_400_000);
          between += 60_000 * 13
        )
          expect(task.match(new Date(between))).toBe(false);
        from = next;
      }
    }
  });
});

/** The days on which clocks change, in zones of every kind, and the moment of the change. */
const changes = [
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['UTC', '2026-10-25T01:00:00Z'],
] as const;

const file = resolve(import.meta.dirname, '../../src/runtime/slots.ts');

test.each(changes)('where the clocks are of %s, a minute has its moment around %s, and a day too', (zone, change) => {
  const from = at(change) - 2 * 3_600_000;
  const script = `
    const { slotsOf } = await import(${JSON.stringify(file)});
    const found = [];
    for (let at = ${from}, count = 0; count < 240; count += 1) found.push((at = slotsOf('*/1 * * * *').after(at)));
    const days = [];
    for (let at = ${from} - 3 * 86400000, count = 0; count < 6; count += 1) days.push((at = slotsOf('17 1 * * *').after(at)) % 86400000);
    console.log(JSON.stringify({ found, days }));`;
  const env = { ...process.env, TZ: zone, NODE_OPTIONS: '' };
  const { found, days }: { found: number[]; days: number[] } = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }),
  );
  expect(found).toEqual(Array.from({ length: 240 }, (_none, index) => from + (index + 1) * 60_000));
  expect(new Set(days)).toEqual(new Set([77 * 60_000]));
});
