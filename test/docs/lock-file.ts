/** What the lock file says of the packages that are installed. */

import { readFileSync } from 'node:fs';

export interface Installed {
  /** Where it stands, below the root of the project. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; null when the package names none. */
  readonly licence: string | null;
  /** `sha512-` and the digest in base64. */
  readonly integrity: string | null;
  readonly isDevelopment: boolean;
  readonly isOptional: boolean;
  /** Names of what it asks for. */
  readonly wants: readonly string[];
}

/** A row of the lock file. */
interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export function installedIn(lockFile: string): readonly Installed[] {
  const { packages }: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(lockFile, 'utf8'),
  );
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => ({
      path,
      name: locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: locked.version ?? '',
      licence: locked.license ?? null,
      integrity: locked.integrity ?? null,
      isDevelopment: locked.dev === true || locked.devOptional === true,
      isOptional: locked.optional === true,
      wants: Object.keys(locked.dependencies ?? {}),
    }));
}

/** The package that `name` means to the one at `path`: the nearest one above it, as Node.js looks for it. */
export function meantBy(installed: readonly Installed[], path: string, name: string): Installed | undefined {
  const places = path
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, parts.length - index).join('/node_modules/'));
  const paths = [...places.map((place) => `${place}/node_modules/${name}`), `node_modules/${name}`];
  return paths.map((wanted) => installed.find((each) => each.path === wanted)).find((each) => each !== undefined);
}

/** All that comes with a package of the project, without itself. */
export function pulledInBy(installed: readonly Installed[], name: string): readonly Installed[] {
  const found = new Set<Installed>();
  const open = [meantBy(installed, '', name)];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    for (const wanted of each.wants) {
      const next = meantBy(installed, each.path, wanted);
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return [...found];
}
