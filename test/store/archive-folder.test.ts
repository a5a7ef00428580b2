import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { archiveFolder } from '../../src/store/archive-folder.ts';
import { plant } from '../support/plant.ts';

const files = [
  'attachments/7.html',
  'bugs/0/1.html',
  'bugs/0/2.html',
  'bugs/1/1001.html',
  'index.html',
  'numbers/0.html',
];

/** What is listed while each file is removed together with one that is still to come. */
function listedWhileRemoving(open: typeof archiveFolder): readonly string[] {
  const path = mkdtempSync(join(tmpdir(), 'bugferry-archive-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = open(path);
  for (const each of [...files, 'notes/mine.txt']) folder.write(each, new Uint8Array());
  const listed: string[] = [];
  for (const each of folder.paths()) {
    listed.push(each);
    if (each === 'bugs/0/1.html') for (const gone of ['bugs/1/1001.html', 'numbers/0.html', each]) folder.remove(gone);
  }
  return listed;
}

test('files are listed folder by folder, those of others not, and any may be removed meanwhile', () => {
  expect(listedWhileRemoving(archiveFolder)).toEqual([
    'attachments/7.html',
    'bugs/0/1.html',
    'bugs/0/2.html',
    'index.html',
  ]);
});

test('a folder is not read before its turn', () => {
  const path = mkdtempSync(join(tmpdir(), 'bugferry-archive-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = archiveFolder(path);
  folder.write('attachments/1.html', new Uint8Array());
  folder.write('bugs/0/1.html', new Uint8Array());
  const listed: string[] = [];
  for (const each of folder.paths()) {
    if (listed.length === 0) folder.write('bugs/0/2.html', new Uint8Array());
    listed.push(each);
  }
  expect(listed).toContain('bugs/0/2.html');
});

test.each([
  ['a folder that is gone is read', 'else if (existsSync(join(folder, path)))', 'else'],
  ['files of others are listed', 'filter(({ name }) => ownNames.has(name))', 'filter(({ name }) => name.length > 0)'],
])('a planted fault is caught: %s', async (_what, from, to) => {
  const planted: { archiveFolder: typeof archiveFolder } = await import(
    `${plant({ file: 'store/archive-folder.ts', from, to })}/store/archive-folder.ts`
  );
  let listed: readonly string[] = [];
  try {
    listed = listedWhileRemoving(planted.archiveFolder);
  } catch {}
  expect(listed).not.toEqual(['attachments/7.html', 'bugs/0/1.html', 'bugs/0/2.html', 'index.html']);
});
