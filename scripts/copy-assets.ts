import { cpSync } from 'node:fs';

/**
 * The compiler leaves out what is not code; the state database reads its migrations, and the HTTP server and archives
 * their styles and scripts, from beside their own. The sandbox's data is compiled along.
 */
for (const folder of ['store/migrations/', 'http/assets/', 'archive/assets/']) {
  cpSync(new URL(`../src/${folder}`, import.meta.url), new URL(`../dist/${folder}`, import.meta.url), {
    recursive: true,
  });
}
