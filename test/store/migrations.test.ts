import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../src/store/migrations/', import.meta.url);

/**
 * A migration is frozen once it stands on the main branch: state files were made by it. Whatever the tables need from then on is a
 * migration of its own, whose digest is added here.
 */
const digests: Readonly<Record<string, string>> = {
  '001-first.sql': 'c43e7bb3d5b3429b5bc1d965f24fdb93e17ccfcfe0cab9e23b254f72f2e00403',
};

test('no migration was changed, and none came without its digest', () => {
  const found = readdirSync(folder).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(new URL(name, folder)))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(found)).toStrictEqual(digests);
});
