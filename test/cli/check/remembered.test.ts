import { afterEach, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';
import { type Changed, changingAnswers } from '../../support/faults/changed-answers.ts';

/** What a side said yesterday is no answer of today: `check` never says that a side answers which does not. */
let house: House | undefined;
afterEach(() => house?.close());

const badGateway: Changed = { status: 502, type: 'text/html', text: '<title>Bad gateway</title>' };
const unavailable: Changed = { status: 503, type: 'text/html', text: '<title>Unavailable</title>' };

test.each([
  ['the tracker', 'tracker', badGateway, 'HTTP 502'],
  ['the tracker', 'tracker', unavailable, 'HTTP 503'],
  ['GitHub', 'GitHub', badGateway, '502'],
  ['GitHub', 'GitHub', unavailable, '503'],
] as const)('%s answered yesterday, and now gives an error (%#)', async (_name, side, answer, words) => {
  const opened = await openHouse((tracker) => tracker.as('alice').file({ summary: 'Pan', description: 'Hot.' }));
  house = opened;
  let isFailing = false;
  const through = (url: string, isOf: boolean) => changingAnswers(url, () => (isFailing && isOf ? answer : null));
  const trackerUrl = await through(opened.trackerUrl, side === 'tracker');
  const githubUrl = await through(opened.githubUrl, side === 'GitHub');
  opened.configure((config) => {
    config.tracker.url = trackerUrl;
    config.github.url = githubUrl;
  });
  for (let turn = 0; turn < 2; turn += 1) await opened.run('once');
  expect((await opened.run('check')).out).toMatch(new RegExp(`^ok +route widget, ${side}: .* answers`, 'mu'));
  isFailing = true;

  const { code, out, err } = await opened.run('check');
  expect(code).toBe(4);
  expect(out).toMatch(new RegExp(`^failure +route widget, ${side}: .*${words}`, 'mu'));
  expect(out).not.toMatch(new RegExp(`^ok +route widget, ${side}:`, 'mu'));
  expect(err).toBe('');
});
