import { rmSync } from 'node:fs';

/** The compiler removes nothing: what was built from a file that is gone must not get into a package. */
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
