import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedIn } from '../docs/lock-file.ts';

/**
 * A package registry on this machine, with what this checkout has installed; so a package can be installed without the
 * network.
 */
export interface Registry {
  readonly url: string;
  /** Names of the packages that were asked for. */
  readonly asked: ReadonlySet<string>;
  close(): Promise<void>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  /** What an installation would run has run here already, or is not needed. */
  readonly scripts?: unknown;
}

export async function serveRegistry(root: string): Promise<Registry> {
  const places = installedIn(join(root, 'package-lock.json')).map(({ name, path }) => ({
    name,
    folder: join(root, path),
  }));
  const archives = new Map<string, Promise<Buffer>>();
  const archiveOf = (folder: string): Promise<Buffer> => {
    const known = archives.get(folder) ?? packed(folder);
    archives.set(folder, known);
    return known;
  };
  const asked = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    const [, index] = /^archives\/(\d+)\.tgz$/u.exec(path) ?? [];
    const place = index === undefined ? undefined : places[Number(index)];
    if (place !== undefined) return void response.end(await archiveOf(place.folder));
    asked.add(path);
    const base = `http://${request.headers.host}`;
    const versions = places.flatMap(({ name, folder }, number) => {
      const manifest = name === path ? manifestIn(folder) : null;
      return manifest === null ? [] : [{ manifest, folder, archive: `${base}/archives/${number}.tgz` }];
    });
    const [first] = versions;
    if (first === undefined) return void response.writeHead(404).end('{}');
    const listed = await Promise.all(
      versions.map(async ({ manifest, folder, archive }) => {
        const integrity = `sha512-${createHash('sha512')
          .update(await archiveOf(folder))
          .digest('base64')}`;
        return [manifest.version, { ...manifest, scripts: {}, dist: { tarball: archive, integrity } }];
      }),
    );
    const page = { name: path, 'dist-tags': { latest: first.manifest.version }, versions: Object.fromEntries(listed) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Null when it is not installed here: an optional package for another machine. */
function manifestIn(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** An archive as npm makes them: everything is below a folder `package`. */
async function packed(folder: string): Promise<Buffer> {
  const args = ['-C', folder, '--exclude=./node_modules', '--transform=s,^\\.,package,', '-czf', '-', '.'];
  const { stdout } = await promisify(execFile)('tar', args, { encoding: 'buffer', maxBuffer: 100_000_000 });
  return stdout;
}
