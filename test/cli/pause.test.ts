import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileControlQueue } from '../../src/store/control-queue.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/** Pausing a route, with a bridge that runs and without one. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  });
  await house.run('once');
});
afterEach(() => house.close());

const titleOnGithub = () => house.github.issue('acme/widget', 1)?.title;

interface Doc {
  readonly routes: readonly {
    readonly rest: { readonly why: string | null } | null;
    readonly isInStep: boolean;
    readonly needsPerson: boolean;
  }[];
}
const status = async () => (await house.run('status', '--json')).json<Doc>()[0]?.routes[0];

describe('a paused route', () => {
  test('is not mirrored, says so everywhere, and continues where it stopped', async () => {
    expect(await house.run('pause', 'widget', '--why', 'the tracker moves')).toMatchObject({
      code: 0,
      out: 'Route widget is paused.\n',
    });
    house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
    for (const args of [['once'], ['once', '--sweep'], ['retry', '--all']]) await house.run(...args);
    expect(await house.run('once')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/a person paused it at .*: the tracker moves; bugferry resume widget/u),
    });
    expect(titleOnGithub()).toBe('It fails');
    expect(await status()).toMatchObject({ rest: { why: 'the tracker moves' }, isInStep: false, needsPerson: false });
    expect(await house.run('status')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/paused: 1 pair[\s\S]*the tracker moves/u),
    });
    expect(await house.run('resume', 'widget')).toMatchObject({ code: 0, out: expect.stringContaining('is resumed') });
    expect(titleOnGithub()).toBe('It fails');
    expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(titleOnGithub()).toBe('It fails on Mondays');
    await house.run('once');
    expect(await status()).toMatchObject({ rest: null, isInStep: true });
  });

  test('keeps what people ask for until it is resumed', async () => {
    await house.run('pause', '--all');
    await house.run('resync', 'bug', '1');
    expect(readdirSync(`${house.state}.commands`)).toHaveLength(1);
    await house.run('resume', '--all');
    await house.run('once');
    expect(readdirSync(`${house.state}.commands`)).toHaveLength(0);
  });

  test('is paused once, and resumed once', async () => {
    await house.run('pause', 'widget', '--why', 'first');
    expect(await house.run('pause', 'widget')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining(': first'),
    });
    await house.run('resume', 'widget');
    expect(await house.run('resume', 'widget')).toMatchObject({
      code: 0,
      err: expect.stringContaining('is not paused'),
    });
  });

  test('is resumed before the running bridge has taken its pause', async () => {
    house.configure((config) => {
      config.schedule = { poll: '0 0 1 1 *' };
    });
    const running = house.start('run');
    await running.says('started');
    await house.run('pause', 'widget');
    expect(await house.run('resume', 'widget')).toMatchObject({
      err: '',
      out: expect.stringContaining('with the next cycle'),
    });
    expect(await house.run('resume', 'widget')).toMatchObject({ err: expect.stringContaining('is not paused') });
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    expect((await house.run('once')).code).toBe(0);
    expect((await house.run('status')).out).not.toContain('paused');
  });

  test.each([
    ['a route that is not there', ['pause', 'gadget'], 'There is no route gadget; the configuration has widget.'],
    ['no route', ['resume'], 'Name a route, or give --all'],
    ['a route and all', ['pause', 'widget', '--all'], 'Name a route, or give --all'],
  ])('of %s is wrong usage', async (_name, args, words) => {
    expect(await house.run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});

describe('commands that write much refuse a paused route', () => {
  const refusal = /route widget \(the tracker moves\)\. Run bugferry resume widget/u;

  test.each([
    ['migrate', ['migrate', '--writer', 'api']],
    ['migrate that chooses its writer', ['migrate']],
    ['cutover', ['cutover', '--yes', 'comment,close']],
    ['cutover --undo', ['cutover', '--undo']],
  ])('%s', async (_name, args) => {
    await house.run('pause', 'widget', '--why', 'the tracker moves');
    const before = house.requests();
    expect(await house.run(...args)).toMatchObject({ code: 2, err: expect.stringMatching(refusal) });
    expect(house.requests()).toBe(before);
  });

  test('migrate that was paused in the middle, until it is resumed', async () => {
    // A migration holds the state, so a pause waits in the queue, as beside a running bridge.
    fileControlQueue(house.state, Date.now).add({ kind: 'pause', route: 'widget', why: 'the tracker moves' });
    expect(await house.run('migrate', '--writer', 'api')).toMatchObject({
      code: 2,
      err: expect.stringMatching(refusal),
    });
    expect(await house.run('resume', 'widget')).toMatchObject({ code: 0, out: expect.stringContaining('is resumed') });
    expect(await house.run('migrate', '--writer', 'api')).toMatchObject({ code: 0 });
  });

  test('but not commands that only read', async () => {
    await house.run('pause', 'widget');
    house.github.allow('acme/widget', 'bugferry-bot', 'admin');
    expect(await house.run('migrate', '--dry-run', '--preview', `${house.folder}/preview.html`)).toMatchObject({
      code: 0,
    });
    expect(await house.run('verify')).toMatchObject({ code: 0 });
    expect(await house.run('plan')).toMatchObject({ code: 0 });
  });
});

test('the running bridge takes a pause and its end, and a restart keeps it', async () => {
  house.configure((config) => {
    config.schedule = { poll: '* * * * * *' };
  });
  const running = house.start('run', '--verbose');
  await running.says('started');
  expect(await house.run('pause', 'widget')).toMatchObject({
    out: expect.stringContaining('the running bridge writes nothing more, but withdraws'),
  });
  await running.says('a person paused it');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
  const again = house.start('run', '--verbose');
  await again.says('a person paused it');
  expect(titleOnGithub()).toBe('It fails');
  expect(await house.run('resume', 'widget')).toMatchObject({
    out: expect.stringContaining('with the next cycle of the running bridge'),
  });
  await again.says('It fails on Mondays');
  again.child.kill('SIGTERM');
  expect((await again.ended).code).toBe(0);
  expect(titleOnGithub()).toBe('It fails on Mondays');
});
