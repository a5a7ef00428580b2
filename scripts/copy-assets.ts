import { cpSync } from 'node:fs';

/** The compiler leaves out what is not code; the state database reads its migrations from beside its own. The sandbox's data is compiled along. */
cpSync(new URL('../src/store/migrations/', import.meta.url), new URL('../dist/store/migrations/', import.meta.url), { recursive: true });
