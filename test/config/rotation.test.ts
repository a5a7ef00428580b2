/** A rotated secret counts from the next request on, without a restart, and appears nowhere. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { openBridge, openLog, passOf } from '../../src/wire/bridge.ts';
import { changeUser } from '../contract/tracker/scenario.ts';
import { type House, openHouse } from '../support/bugferry.ts';

interface Open {
  readonly house: House;
  readonly warnings: string[];
  /** One pass of the daemon, which goes on with what it has in memory. */
  pass(): Promise<readonly boolean[]>;
  rotate(side: 'tracker' | 'github', secret: string): void;
  write(side: 'tracker' | 'github', text: string): void;
  log(words: string): string;
}

async function opened(): Promise<Open> {
  const house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'First', description: 'It fails.' });
  });
  onTestFinished(() => house.close());
  const write: Open['write'] = (side, text) => writeFileSync(join(house.folder, side), text);
  write('tracker', `${house.apiKey}\n`);
  write('github', `${house.token}\n`);
  const file = house.configure((config) => {
    const [{ apiKey: _key, ...tracker }, { token: _token, ...github }] = [config.tracker, config.github];
    config.tracker = { ...tracker, apiKeyFile: join(house.folder, 'tracker') };
    config.github = { ...github, tokenFile: join(house.folder, 'github') };
  });
  const config = loadConfig(file, {});
  const warnings: string[] = [];
  const signal = new AbortController().signal;
  const bridge = openBridge(config, { mode: 'write', signal, tell: () => {}, warn: (words) => warnings.push(words) });
  onTestFinished(() => bridge.close());
  return {
    house,
    warnings,
    write,
    pass: async () => (await passOf(bridge, { isForced: () => false, signal })).map((run) => !('error' in run)),
    rotate(side, secret) {
      if (side === 'github') house.github.setToken('bugferry-bot', secret);
      else changeUser(house.tracker, 'bridge', { apiKey: secret });
    },
    log(words) {
      const written: string[] = [];
      openLog(config, { level: 'info', isTerminal: false, write: (line) => void written.push(line) }).info(words);
      return written.join('');
    },
  };
}

const titles = ({ house }: Open) => house.github.issues('acme/widget').map(({ title }) => title);
const rotated = { tracker: 'rotatedKeyOfTheBridge'.padEnd(40, '0'), github: 'rotated-token-of-the-bot' };

test.each(['tracker', 'github'] as const)('on %s', async (side) => {
  const open = await opened();
  await open.pass();
  expect(titles(open)).toEqual(['First']);
  open.rotate(side, rotated[side]);
  open.house.tracker.as('alice').file({ summary: 'Second', description: 'It fails.' });
  await open.pass();
  expect(titles(open), 'the old one is not accepted').toEqual(['First']);
  open.write(side, `${rotated[side]}\n`);
  await open.pass();
  await open.pass();
  expect(titles(open)).toEqual(['First', 'Second']);
  expect(open.log(`the secret is ${rotated[side]}`)).not.toContain(rotated[side]);
});

test('both at once, twice', async () => {
  const open = await opened();
  await open.pass();
  for (const time of ['x', 'y']) {
    for (const side of ['tracker', 'github'] as const) {
      const secret = rotated[side].replace('rotated', `rotated${time}`).slice(0, side === 'tracker' ? 40 : 60);
      open.rotate(side, secret);
      open.write(side, secret);
    }
    open.house.tracker.as('alice').file({ summary: `After ${time}`, description: 'It fails.' });
    await open.pass();
    await open.pass();
  }
  expect(titles(open)).toEqual(['First', 'After x', 'After y']);
});

test.each([
  ['an empty file', ''],
  ['half a file with a line break', 'one two\nthree'],
  ['a page', '<html>\n</html>'],
])('the last valid secret stays in use meanwhile: %s', async (_name, text) => {
  const open = await opened();
  await open.pass();
  for (const side of ['tracker', 'github'] as const) open.write(side, text);
  open.house.tracker.as('alice').file({ summary: 'Second', description: 'It fails.' });
  await open.pass();
  await open.pass();
  expect(titles(open)).toEqual(['First', 'Second']);
  expect(open.warnings.filter((words) => /cannot be read again, so the last one stays/.test(words))).toHaveLength(2);
});
