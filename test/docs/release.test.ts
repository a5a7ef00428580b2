/** `npm run release` in repositories of its own: it accepts one that is ready, and names everything that is not. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { read, root } from './documents.ts';

const script = join(root, 'scripts', 'release.ts');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
  [`GIT_${role}_NAME`, 'A Tester'],
  [`GIT_${role}_EMAIL`, 'tester@example.test'],
]);
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(who),
};
const hasGit = spawnSync('git', ['--version']).status === 0;

interface Files {
  readonly packaged: string;
  readonly locked: string;
  readonly heading: string;
}

/** A repository that is ready to release 0.2.0, but for the files that differ. */
function repository(files: Partial<Files> = {}) {
  const { packaged, locked, heading } = { packaged: '0.2.0', locked: '0.2.0', heading: '0.2.0 (2026-11-22)', ...files };
  const cwd = mkdtempSync(join(tmpdir(), 'bugferry-release-'));
  folders.push(cwd);
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, env, encoding: 'utf8' }).trim();
  write('package.json', JSON.stringify({ version: packaged }));
  write('package-lock.json', JSON.stringify({ version: locked, packages: { '': { version: locked } } }));
  write('CHANGELOG.md', `# Changelog\n\n## ${heading}\n\n- Something.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n`);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  const release = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return { write, git, release };
}

describe.skipIf(!hasGit)('npm run release', () => {
  test('prints the commands for a release that is ready, and changes nothing', () => {
    const { git, release } = repository();
    expect(release('0.2.0')).toEqual({
      status: 0,
      stdout:
        "0.2.0 is ready. To release it:\n  git tag -a v0.2.0 -m 'bugferry 0.2.0'\n  git push origin main v0.2.0\n",
      stderr: '',
    });
    expect(git('tag')).toBe('');
  });

  test('creates the tag with --tag, once', () => {
    const { git, release } = repository();
    expect(release('0.2.0', '--tag')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('git push origin main v0.2.0'),
    });
    expect(git('for-each-ref', '--format=%(refname) %(objecttype) %(subject)', 'refs/tags')).toBe(
      'refs/tags/v0.2.0 tag bugferry 0.2.0',
    );
    expect(release('0.2.0', '--tag')).toMatchObject({
      status: 1,
      stderr: '0.2.0 is not ready:\n  the tag v0.2.0 exists already\n',
    });
  });

  test.each([
    [{ packaged: '0.1.0' }, 'package.json has version 0.1.0'],
    [{ locked: '0.1.0' }, 'package-lock.json has another version: run npm install'],
    [{ heading: 'Pending' }, 'the top section of CHANGELOG.md is "Pending", not "0.2.0 (YYYY-MM-DD)"'],
    [{ heading: '0.2.0' }, 'the top section of CHANGELOG.md is "0.2.0", not "0.2.0 (YYYY-MM-DD)"'],
    [
      { heading: '0.2.01 (2026-11-22)' },
      'the top section of CHANGELOG.md is "0.2.01 (2026-11-22)", not "0.2.0 (YYYY-MM-DD)"',
    ],
  ])('refuses %j', (files, complaint) => {
    const { git, release } = repository(files);
    expect(release('0.2.0', '--tag')).toEqual({
      status: 1,
      stdout: '',
      stderr: `0.2.0 is not ready:\n  ${complaint}\n`,
    });
    expect(git('tag')).toBe('');
  });

  test('refuses another branch, and uncommitted changes, in one answer', () => {
    const { write, git, release } = repository();
    git('checkout', '--quiet', '-b', 'topic');
    write('new.txt', 'new');
    expect(release('0.2.0')).toEqual({
      status: 1,
      stdout: '',
      stderr: '0.2.0 is not ready:\n  topic is checked out, not main\n  there are uncommitted changes\n',
    });
  });

  test.each([[[]], [['v0.2.0']], [['0.2']], [['0.2.0', '0.3.0']], [['00.2.0']]])(
    'does not take %j for a version',
    (args) => {
      expect(repository().release(...args)).toMatchObject({
        status: 2,
        stderr: 'Name one version, such as 0.2.0, without a "v".\n',
      });
    },
  );
});

test('package.json and package-lock.json have one version, as the release checks', () => {
  const [{ version }, lock] = [JSON.parse(read('package.json')), JSON.parse(read('package-lock.json'))];
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});
