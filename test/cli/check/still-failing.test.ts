import { afterEach, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';
import { changingAnswers } from '../../support/faults/changed-answers.ts';

/** `status` sends to `check` whoever sees cycles fail. What check does not ask must not look well there. */
let house: House | undefined;
afterEach(() => house?.close());

/** A bridge whose cycles fail at requests to a side that match. */
async function failingAt(side: 'tracker' | 'github', isFailing: (path: string) => boolean) {
  const opened = await openHouse((tracker) => tracker.as('alice').file({ summary: 'Pan', description: 'Hot.' }));
  house = opened;
  const trouble = { is: false };
  const url = await changingAnswers(side === 'tracker' ? opened.trackerUrl : opened.githubUrl, ({ path }) =>
    trouble.is && isFailing(path) ? { status: 500, type: 'text/html', text: '<title>Oops</title>' } : null,
  );
  opened.configure((config) => {
    config[side].url = url;
  });
  await opened.run('once');
  trouble.is = true;
  return { ...opened, trouble };
}

test.each([
  ['tracker', (path: string) => /last_change_time=/u.test(path), 'the tracker'],
  ['github', (path: string) => /\/issues\?|\/issues\/comments\?/u.test(path), 'GitHub'],
] as const)('cycles that fail at %s, at what check does not ask', async (side, isFailing, name) => {
  const { run, trouble } = await failingAt(side, isFailing);
  for (let turn = 0; turn < 3; turn += 1) expect((await run('once')).code).toBe(4);
  const { out, code } = await run('check');
  expect(out).toMatch(
    new RegExp(
      `^warning +route widget, cycles: \\d+ s ago, the last 3 cycles failed, the latest at ${name}: .*500.*` +
        `What check asks is answered now; if the next one fails as well, ask an administrator of ${name}`,
      'mu',
    ),
  );
  expect(code).toBe(0);
  trouble.is = false;
  expect((await run('once')).code).toBe(0);
  expect((await run('check')).out).not.toContain('cycles:');
});

test('nothing is said of what check itself finds, or found until it was put right', async () => {
  const { run, trouble, github, token } = await failingAt('tracker', () => true);
  for (let turn = 0; turn < 2; turn += 1) await run('once');
  expect((await run('check')).out).not.toContain('cycles:');
  trouble.is = false;
  await run('once');
  github.setToken('bugferry-bot', null);
  for (let turn = 0; turn < 2; turn += 1) await run('once');
  github.setToken('bugferry-bot', token);
  expect((await run('check')).out).not.toContain('cycles:');
});

test('what is known is printed while a side is still asked', async () => {
  let answer = (): void => undefined;
  const isPrinted = new Promise<void>((resolve) => {
    answer = resolve;
  });
  house = await openHouse(() => undefined, {
    faults: (side) => (side === 'github' ? { kind: 'slow', delayMs: 1 } : { kind: 'none' }),
    sleep: () => isPrinted,
  });
  const { says, ended } = house.start('check');
  await says('well formed');
  answer();
  expect((await ended).out).toContain('route widget, clocks');
});
