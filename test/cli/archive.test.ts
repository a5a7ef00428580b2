import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
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
      for (const summary of ['one', 'two', 'three'])
        tracker.as('alice').file({ summary, description: `words of ${summary}` });
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
    expect(ran.out).toMatch(/^ {2}\d+ files in .*: \d+ written$/mu);
    house.tracker.as('alice').change(1, { summary: 'once' });
    house.tracker.hide(2);
    expect((await house.run('archive', folder, '--config', file)).out).toMatch(
      /: \d+ written, \d+ removed, the others unchanged$/mu,
    );
    expect(page(1)).toMatch(
      /This bug continues on GitHub as <a href="[^"]*\/acme\/widget\/issues\/\d+">acme\/widget#\d+<\/a>/u,
    );
  });

  test('says without a state file that it knows no issues, and compares', async () => {
    const ran = await house.run('archive', folder);
    expect(ran.err).toContain('there is no state file');
    expect(page(1)).not.toContain('continues on GitHub');
    expect((await house.run('archive', folder, '--verify')).out).toContain('no differences');
    writeFileSync(join(folder, 'bugs/1.html'), page(1).replace('words', 'Words'));
    const compared = await house.run('archive', folder, '--verify', '--json');
    expect(compared.code).toBe(1);
    expect(compared.json()).toMatchObject([
      { kind: 'verified', differences: [{ path: 'bugs/1.html', why: 'it differs' }] },
    ]);
  });

  test.each(['both', 'to-github'])(
    'keeps the address of an issue in a private repository to itself, on a route %s',
    async (direction) => {
      house.github.setPrivate('acme/widget', true);
      house.configure((config) => {
        Object.assign(config.routes[0], { direction, ...(direction === 'both' ? { private: 'mirror' } : {}) });
      });
      await house.run('once');
      expect(house.github.issues('acme/widget')).toHaveLength(2);
      await house.run('archive', folder);
      expect(page(1)).not.toContain('continues on GitHub');
    },
  );

  test('names the bugs that the tracker fails on, and keeps their pages', async () => {
    let isBroken = false;
    const between = createServer(async ({ url = '' }, answer) => {
      const isFailing = isBroken && /\/comment\b/u.test(url) && /\/bug\/2\/|ids=2\b/u.test(url);
      const real = await fetch(house.trackerUrl + url);
      answer.writeHead(isFailing ? 400 : real.status, { 'content-type': 'application/json' });
      answer.end(isFailing ? JSON.stringify({ error: true, code: 100_500, message: 'It broke' }) : await real.text());
    });
    await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
    const address = between.address();
    house.configure((config) => {
      config.tracker.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    });
    expect((await house.run('archive', folder)).code).toBe(0);
    const before = page(2);
    isBroken = true;
    const ran = await house.run('archive', folder);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(
      /bug 2 is not brought up to date: .*It broke.*\. It stays as it was, and the next run reads it again/u,
    );
    expect((await house.run('archive', folder, '--verify')).err).toMatch(/bug 2 is not compared: .*It broke/u);
    expect(page(2)).toBe(before);
    between.close();
  });

  test.runIf(process.platform === 'linux')('a folder that cannot be made is named, with what to check', async () => {
    const dangling = join(house.folder, 'dangling');
    symlinkSync(join(house.folder, 'nowhere/else'), dangling);
    for (const path of [dangling, '/proc/foo'])
      expect(await house.run('archive', path)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/The disk refuses a file .*Check the path/su),
      });
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
