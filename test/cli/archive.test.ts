import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

/** A secret that comes from a variable that is not there. */
const unset = (name: string): string => `\${${name}}`;

describe('bugferry archive', () => {
  let house: House;
  let folder: string;

  beforeEach(async () => {
    house = await openHouse((tracker) => {
      for (const summary of ['one', 'two', 'three']) tracker.as('alice').file({ summary, description: `words of ${summary}` });
      tracker.hide(3);
    });
    folder = join(house.folder, 'site');
  });
  afterEach(() => house.close());

  const page = (bug: number): string => readFileSync(join(folder, `bugs/${bug}.html`), 'utf8');

  test('names the issue of a mirrored bug on top, and needs no secrets', async () => {
    expect((await house.run('once')).code).toBe(0);
    const file = house.configure((config) => {
      config.tracker.apiKey = unset('NO_SUCH_KEY_HERE');
      config.github.token = unset('NO_SUCH_TOKEN_HERE');
    });
    const ran = await house.run('archive', folder, '--config', file);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatch(/^2 bugs, 2 comments, 0 attachments that everyone may read$/mu);
    expect(page(1)).toMatch(/This bug continues on GitHub as <a href="[^"]*\/acme\/widget\/issues\/\d+">acme\/widget#\d+<\/a>/u);
  });

  test('says without a state file that it knows no issues, and compares', async () => {
    const ran = await house.run('archive', folder);
    expect(ran.err).toContain('there is no state file');
    expect(page(1)).not.toContain('continues on GitHub');
    expect((await house.run('archive', folder, '--verify')).out).toContain('no differences');
    writeFileSync(join(folder, 'bugs/1.html'), page(1).replace('words', 'Words'));
    const compared = await house.run('archive', folder, '--verify', '--json');
    expect(compared.code).toBe(1);
    expect(compared.json()).toMatchObject([{ kind: 'verified', differences: [{ path: 'bugs/1.html', why: 'it differs' }] }]);
  });

  test('keeps the address of an issue in a private repository to itself', async () => {
    await house.run('once');
    house.configure((config) => {
      config.routes[0].private = 'mirror';
    });
    await house.run('archive', folder);
    expect(page(1)).not.toContain('continues on GitHub');
  });

  test('touches no folder that is not an archive', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'precious');
    const ran = await house.run('archive', folder);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('it has files and is not an archive; choose an empty or a new folder');
    expect((await house.run('archive', join(house.folder, 'none'), '--verify')).err).toContain('it is not an archive');
  });
});
