import { rmSync } from 'node:fs';

/** The compiler removes nothing, and output of deleted files must not get into a package. */
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
