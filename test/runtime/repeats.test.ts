import { expect, test } from 'vitest';
import { createLog, openRepeats } from '../../src/runtime/log.ts';

const minuteMs = 60_000;

function book() {
  let now = 0;
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({ level: 'info', isTerminal: false, secrets: [], write, now: () => now });
  return { log, lines, wait: (minutes: number) => (now += minutes * minuteMs) };
}

test('a warning that comes every minute is written every ten minutes, with how many were left out', () => {
  const { log, lines, wait } = book();
  for (let minute = 0; minute < 25; minute += 1) {
    log.warn({ route: 'widget' }, 'The tracker cannot be reached.');
    wait(1);
  }
  expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 9, 9]);
  expect(lines[2]).toMatchObject({ level: 'warn', route: 'widget', msg: 'The tracker cannot be reached.' });
});

test('the same words about another route, another link, or at another level are other news', () => {
  const { log, lines } = book();
  for (const facts of [{ route: 'one' }, { route: 'two' }, { route: 'two', link: 3 }]) log.warn(facts, 'stale');
  log.error({ route: 'one' }, 'stale');
  log.warn('stale');
  expect(lines).toHaveLength(5);
});

test('what is done is always written, however often it is the same', () => {
  const { log, lines } = book();
  for (let count = 0; count < 3; count += 1) log.info({ route: 'widget' }, 'comment copied');
  expect(lines).toHaveLength(3);
});

test('errors without words of their own are always written', () => {
  const { log, lines } = book();
  for (let count = 0; count < 2; count += 1) log.error({ err: new Error('no') });
  expect(lines).toHaveLength(2);
});

test('however many different words there are, only the latest are remembered', () => {
  const repeats = openRepeats(() => 0);
  for (let number = 0; number <= 500; number += 1) repeats.of(`line ${number}`);
  expect([repeats.of('line 500'), repeats.of('line 0')]).toEqual([null, { leftOut: 0 }]);
});
