import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';
import { start } from '../process.ts';

/** Reports and previews hold words of both sides, which may be private by now: their owner alone reads them. */
let house: House;

beforeAll(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'Mirrored title', description: 'Always.' });
    tracker.as('alice').file({ summary: 'Another title', description: 'Always.' });
  });
  house.github.allow('acme/widget', 'bugferry-bot', 'admin');
});
afterAll(() => house.close());

async function bugferry(...args: readonly string[]): Promise<number | null> {
  const running = start([...args, '--config', join(house.folder, 'bridge.yaml')]);
  return running.ended;
}

const commands: readonly (readonly [string, (file: string) => readonly string[]])[] = [
  ['plan --html', (file) => ['plan', '--html', file]],
  ['migrate --dry-run --preview', (file) => ['migrate', '--dry-run', '--preview', file]],
  ['migrate --html', (file) => ['migrate', '--html', file]],
  ['verify --html', (file) => ['verify', '--html', file]],
  ['verify --json', (file) => ['verify', '--json', file]],
];

test.each(commands)('%s writes a file for its owner alone, also over one that all may read', async (name, args) => {
  const file = join(house.folder, name.replaceAll(' ', ''));
  for (const isThere of [false, true]) {
    if (isThere) {
      writeFileSync(file, 'An older report.');
      chmodSync(file, 0o644);
    }
    expect(await bugferry(...args(file))).toBeLessThan(2);
    expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').length > 100]).toEqual([0o600, true]);
  }
});
