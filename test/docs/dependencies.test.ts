import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, root } from './documents.ts';
import { type Installed, installedIn, meantBy, pulledInBy } from './lock-file.ts';

const installed = installedIn(join(root, 'package-lock.json'));
const running = installed.filter(({ isDevelopment }) => !isDevelopment);
const { dependencies, devDependencies, version, license } = JSON.parse(read('package.json'));

/** Rows of the two tables: the package, and what the third column says. */
const [, runs = '', develops = ''] = read('docs/dependencies.md').split(/^## .*$/mu);
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| ([@\w][^|]*) \| ([^|]+) \|(?: ([^|]+) \| ([^|]+) \|)?$/gmu)].filter(
    ([, first]) => first !== 'package',
  );

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
    expect(
      running.filter(({ licence }) => !permissive.includes(licence ?? '')).map((each) => [each.name, each.licence]),
    ).toEqual([]);
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

test('npm run sbom prints a bill of every package, and marks those that only development needs', () => {
  const bill = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' }));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { version, licenses: [{ license: { id: license } }] } },
  });
  const parts: readonly Part[] = bill.components;
  for (const each of parts) expect(each.hashes[0]?.content).toMatch(/^[\da-f]{128}$/u);
  const isForDevelopment = ({ properties }: Part) =>
    properties.some(({ name }) => name === 'cdx:npm:package:development');
  const needed = parts.filter((each) => !isForDevelopment(each)).map(({ 'bom-ref': ref }) => ref);
  expect(needed).toEqual(expect.arrayContaining(running.map((each) => `${each.name}@${each.version}`)));
  expect(needed.filter((ref) => /^(?:vitest|typescript)@/u.test(ref))).toEqual([]);
});

interface Part {
  readonly 'bom-ref': string;
  readonly hashes: readonly { readonly content: string }[];
  readonly properties: readonly { readonly name: string }[];
}
