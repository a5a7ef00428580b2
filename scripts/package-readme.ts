/**
 * The README of the package, which has neither docs nor pictures: `make` turns links to files that are not in it into
 * plain words, before npm packs, and `restore` puts the README back. An interrupted `npm pack` is made up for by the next.
 */

import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [readme, kept] = ['README.md', '.readme-kept'];
const where = 'The documents are in the folder docs of the repository.';
const packed: readonly string[] = ['CHANGELOG.md', 'LICENSE', 'SECURITY.md'];

function make(): void {
  restore();
  copyFileSync(readme, kept);
  const whole = readFileSync(readme, 'utf8');
  const withoutPicture = whole.replace(/^!\[[^\]]*\]\((?![a-z]+:)[^)\s]+\)$/gimu, () => where);
  const text = withoutPicture.replace(
    /\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/giu,
    (link, words: string, target: string) => (packed.includes(target) ? link : words),
  );
  writeFileSync(readme, text);
}

function restore(): void {
  if (existsSync(kept)) renameSync(kept, readme);
}

if (process.argv[2] === 'make') make();
else restore();
