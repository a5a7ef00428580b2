import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { billOf } from '../../scripts/bill.ts';
import { type Installed, installedIn, meantBy, pulledInBy } from '../../scripts/lock-file.ts';
import { read, root } from './documents.ts';

const installed = installedIn(join(root, 'package-lock.json'));
const running = installed.filter(({ isDevelopment }) => !isDevelopment);
const { dependencies, devDependencies, name, version, license } = JSON.parse(read('package.json'));

/** Rows of the two tables: the package, and what the third column says. */
const [, runs = '', develops = ''] = read('docs/dependencies.md').split(/^## .*$/mu);
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| ([@\w][^|]*) \| ([^|]+) \|(?: ([^|]+) \| ([^|]+) \|)?$/gmu)].filter(([, first]) => first !== 'package');

describe('docs/dependencies.md', () => {
  test('has a row for every package of package.json, and no other', () => {
    expect(rowsOf(runs).map(([, each]) => each)).toEqual(Object.keys(dependencies).sort());
    expect(rowsOf(develops).map(([, each]) => each)).toEqual(Object.keys(devDependencies).sort());
  });

  test.each(rowsOf(runs).map(([, each = '', , count = '']) => [each, count]))('%s pulls in %s', (each, counted) => {
    const count = pulledInBy(installed, each).length;
    expect(counted).toBe(count === 0 ? 'nothing' : `${count} package${count === 1 ? '' : 's'}`);
  });
});

describe('the lock file', () => {
  test('names the digest of everything, and no place to fetch it from, so that a mirror will do', () => {
    expect(installed.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ path }) => path)).toEqual([]);
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });

  test('has only licences among what runs that ask for no more than a notice', () => {
    const permissive = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
    expect(running.filter(({ licence }) => !permissive.includes(licence ?? '')).map((each) => [each.name, each.licence])).toEqual([]);
    expect(running.length).toBeGreaterThan(50);
  });

  test('is read as Node.js looks for packages: the nearest first, then further up', () => {
    const at = (path: string, wants: readonly string[] = []): Installed => ({
      path,
      name: path.replace(/.*node_modules\//u, ''),
      version: '1',
      licence: null,
      integrity: null,
      isDevelopment: false,
      isOptional: false,
      wants,
    });
    const list = [
      at('node_modules/a', ['b', 'c']),
      at('node_modules/a/node_modules/b', ['c']),
      at('node_modules/b'),
      at('node_modules/c', ['a']),
    ];
    expect(meantBy(list, 'node_modules/a', 'b')?.path).toBe('node_modules/a/node_modules/b');
    expect(meantBy(list, 'node_modules/a/node_modules/b', 'c')?.path).toBe('node_modules/c');
    expect(meantBy(list, '', 'b')?.path).toBe('node_modules/b');
    expect(pulledInBy(list, 'b').map(({ path }) => path)).toEqual([]);
    expect(
      pulledInBy(list, 'a')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c']);
  });
});

describe('npm run sbom', () => {
  const print = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(root, 'scripts/print-sbom.ts'), ...args], { encoding: 'utf8' });

  test('prints a bill of everything that runs, the same one each time', () => {
    const text = print();
    expect(print()).toBe(text);
    const bill = JSON.parse(text);
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: expect.stringMatching(/^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u),
    });
    expect(bill.metadata.component).toMatchObject({ name, version, licenses: [{ expression: license }] });
    const purls: readonly string[] = bill.components.map((each: { purl: string }) => each.purl);
    expect(new Set(purls).size).toBe(purls.length);
    expect(purls).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:npm\/%40octokit\/rest@\d/u)]));
    for (const each of bill.components) expect(each.hashes[0].content).toMatch(/^[\da-f]{128}$/u);
    expect(purls.length).toBe(new Set(running.map((each) => `${each.name}@${each.version}`)).size);
  });

  test('has another number when a digest differs', () => {
    const [first, ...rest] = running;
    if (first === undefined) throw new Error('Nothing runs');
    const project = { name, version, license };
    expect(billOf(project, [{ ...first, integrity: 'sha512-AA==' }, ...rest])).not.toMatchObject({
      serialNumber: JSON.parse(JSON.stringify(billOf(project, running))).serialNumber,
    });
  });

  test('prints licences, and with --all what is needed to develop', () => {
    expect(print('--licences')).toMatch(/^better-sqlite3 \S+ {2}MIT$/mu);
    expect(print('--licences')).not.toContain('vitest');
    expect(print('--licences', '--all')).toMatch(/^vitest \S+ {2}MIT$/mu);
  });
});
