import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ArchiveFolder } from '../../src/model/archive/ports.ts';
import { archiveFolder } from '../../src/store/archive-folder.ts';

const files = [
  'attachments/7.html',
  'bugs/0/1.html',
  'bugs/0/2.html',
  'bugs/1/1001.html',
  'index.html',
  'numbers/0.html',
];

function emptyFolder(): ArchiveFolder {
  const path = mkdtempSync(join(tmpdir(), 'bugferry-archive-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return archiveFolder(path);
}

test('files are listed folder by folder, those of others are not, and any may be removed meanwhile', () => {
  const folder = emptyFolder();
  for (const each of [...files, 'notes/mine.txt']) folder.write(each, new Uint8Array());
  const listed: string[] = [];
  for (const each of folder.paths()) {
    listed.push(each);
    if (each === 'bugs/0/1.html') for (const gone of ['bugs/1/1001.html', 'numbers/0.html', each]) folder.remove(gone);
  }
  expect(listed).toEqual(['attachments/7.html', 'bugs/0/1.html', 'bugs/0/2.html', 'index.html']);
});

test('a folder is not read before its turn', () => {
  const folder = emptyFolder();
  folder.write('attachments/1.html', new Uint8Array());
  folder.write('bugs/0/1.html', new Uint8Array());
  const listed: string[] = [];
  for (const each of folder.paths()) {
    if (listed.length === 0) folder.write('bugs/0/2.html', new Uint8Array());
    listed.push(each);
  }
  expect(listed).toContain('bugs/0/2.html');
});
