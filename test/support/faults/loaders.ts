import { dirname, join, normalize } from 'node:path';
import type { Sources } from './planted-code.ts';

/** An import of types alone, which loads nothing; or else the path of another file, whatever it is there for. */
const path = /^(?:import|export) type [^;'"]*from '[^']*'|'(\.{1,2}\/[\w./-]+\.ts)'/gmu;

/** A file, and all that load it, directly or through others: by paths below src/. */
export function loadersOf(file: string, sources: Sources): ReadonlySet<string> {
  const direct = importersIn(sources);
  const found = new Set([file]);
  // A set yields what is added to it meanwhile, too.
  for (const each of found) for (const importer of direct.get(each) ?? []) found.add(importer);
  return found;
}

const known = new WeakMap<Sources, ReadonlyMap<string, readonly string[]>>();

function importersIn(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const before = known.get(sources);
  if (before !== undefined) return before;
  const importers = new Map<string, string[]>();
  for (const file of sources.files()) {
    for (const [, imported] of sources.read(file)?.matchAll(path) ?? []) {
      if (imported === undefined) continue;
      const target = normalize(join(dirname(file), imported));
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  known.set(sources, importers);
  return importers;
}
