import { cpSync } from 'node:fs';

/** The compiler leaves out what is not TypeScript; the state database reads its migrations from beside its code. */
cpSync(new URL('../src/store/migrations/', import.meta.url), new URL('../dist/store/migrations/', import.meta.url), { recursive: true });
