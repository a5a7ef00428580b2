import { type ExecFileException, execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A container engine with a store of its own: buildah builds, podman and runc run. The base is a stand-in for
 * `node:24-slim`, made of this machine's Node.js, npm and a few programs, and packages come from npm's cache: nothing
 * is downloaded.
 */
export interface Engine {
  /**
   * Builds the Dockerfile of this checkout. Answers why that is not possible here, or null. Throws if the build itself
   * fails.
   */
  build(root: string, image: string, args: Readonly<Record<string, string>>): Promise<string | null>;
  /** podman, with its arguments. */
  podman(...args: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
}

/** The harshest way to run it that the documents prescribe; limits are low, since runc may not raise them. */
export const hardened: readonly string[] = [
  ...['--read-only', '--read-only-tmpfs=false', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--network', 'host', '--no-healthcheck', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'],
];

/** What the steps of the Dockerfile call, and what npm calls. */
const programs = ['sh', 'cp', 'rm', 'ls', 'cat', 'mkdir', 'install', 'find', 'basename', 'dirname', 'env'];

export function whyNoEngine(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'containers are built here by root on Linux only';
  const missing = ['buildah', 'podman', 'runc'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  return missing.length === 0 ? null : `there is no ${missing.join(', ')}`;
}

export function openEngine(): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-engine-'));
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const podman = (...args: readonly string[]) =>
    ran('podman', [...store, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...args]);
  const buildah = (...args: readonly string[]) =>
    ran('buildah', [...store, 'bud', '--isolation', 'chroot', '--quiet', ...args]);
  return {
    podman,
    async build(root, image, args) {
      makeStandIn(join(folder, 'base'), root);
      const based = await buildah('--tag', 'localhost/base', join(folder, 'base'));
      if (based.code !== 0) return `buildah does not work here: ${based.out}`;
      const cache = execFileSync('npm', ['config', 'get', 'cache'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
      const given = Object.entries({ ...args, BASE: 'localhost/base' }).flatMap(([name, value]) => [
        '--build-arg',
        `${name}=${value}`,
      ]);
      const volume = ['--volume', `${cache}:/npm-cache`];
      const built = await buildah('--format', 'docker', ...volume, ...given, '--tag', image, root);
      if (/ENOTCACHED/u.test(built.out)) return "npm's cache does not have all packages of the lock file";
      if (built.code !== 0) throw new Error(`The image cannot be built: ${built.out}`);
      return null;
    },
    async close() {
      await podman('rm', '--all', '--force');
      await podman('rmi', '--all', '--force');
      await podman('volume', 'prune', '--force');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ran = (program: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const ended = (error: ExecFileException | null, out: string, err: string) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out: `${out}${err}` });
    execFile(program, args, { timeout: 300_000, maxBuffer: 10_000_000 }, ended);
  });

/** A root with Node.js at the place where `node:24-slim` has it, its user `node`, and no more than the build calls. */
function makeStandIn(folder: string, root: string): void {
  const at = (path: string) => join(folder, 'root', path);
  for (const path of ['etc', 'root', 'home/node', 'proc', 'sys', 'dev', 'run', 'usr/bin', 'usr/lib', 'usr/lib64'])
    mkdirSync(at(path), { recursive: true });
  for (const path of ['tmp', 'var/tmp']) {
    mkdirSync(at(path), { recursive: true });
    chmodSync(at(path), 0o1777);
  }
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, at(name));
  const node = join(root, 'node_modules/node/bin/node');
  const files = programs.map((name) =>
    realpathSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()),
  );
  for (const [index, file] of files.entries()) cpSync(file, at(`usr/bin/${programs[index]}`));
  cpSync(realpathSync(existsSync(node) ? node : process.execPath), at('usr/local/bin/node'));
  // What the build loads beside programs: a slim Debian has all of the C library.
  const bundler = globSync('node_modules/@rolldown/binding-*/*.node', { cwd: root }).map((path) => join(root, path));
  for (const library of librariesOf([node, ...files, ...bundler])) {
    const place = at(`${realpathSync(dirname(library))}/${library.replace(/.*\//u, '')}`);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(realpathSync(library), place);
  }
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  cpSync(join(dirname(npm), '..'), at('usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', at('usr/local/bin/npm'));
  writeFileSync(at('etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(at('etc/group'), 'root:x:0:\nnode:x:1000:\n');
  const settings = 'ENV PATH=/usr/local/bin:/usr/bin npm_config_cache=/npm-cache npm_config_offline=true';
  writeFileSync(join(folder, 'Dockerfile'), `FROM scratch\nCOPY root /\n${settings}\n`);
}

/** The shared libraries of some programs, by `ldd`. */
function librariesOf(files: readonly string[]): ReadonlySet<string> {
  const { stdout } = spawnSync('ldd', files, { encoding: 'utf8' });
  return new Set([...stdout.matchAll(/(?:=> |^\t)(\/\S+)/gmu)].map(([, path = '']) => path));
}
