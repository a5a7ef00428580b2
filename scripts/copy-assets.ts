import { cpSync } from 'node:fs';

/**
 * Copies the files that the compiler leaves out: migrations of the state database, and the styles and scripts of the
 * HTTP server and of archives. The sandbox's data is compiled with its code.
 */
for (const folder of ['store/migrations/', 'http/assets/', 'archive/assets/']) {
  cpSync(new URL(`../src/${folder}`, import.meta.url), new URL(`../dist/${folder}`, import.meta.url), {
    recursive: true,
  });
}
