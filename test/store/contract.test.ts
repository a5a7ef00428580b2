import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { storeContract } from '../contract/store/store.ts';
import { scrub } from '../support/scrub.ts';

const folder = mkdtempSync(join(tmpdir(), 'bugferry-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
storeContract('the file store', (now) => {
  files += 1;
  return openStore(join(folder, `${files}.db`), { mode: 'write', now, scrub });
});

storeContract('the store in memory', (now) => openStore(':memory:', { mode: 'write', now, scrub }));

storeContract('the private copy of a file that does not exist', (now) =>
  openStore(join(folder, 'none.db'), { mode: 'copy', now, scrub }),
);
