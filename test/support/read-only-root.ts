import { spawnSync } from 'node:child_process';

/**
 * A place where nothing can be written but one folder, as in a container with a read-only root: a mount namespace of
 * its own, all of whose file systems are made read-only. The network is that of the test. Source: mount_namespaces(7).
 */
export interface ReadOnlyRoot {
  /** The program and the arguments that start another program there. */
  command(program: string, args: readonly string[]): readonly [program: string, args: readonly string[]];
}

export function readOnlyRoot(folder: string): ReadOnlyRoot {
  return { command: (program, args) => ['unshare', [...namespace, 'sh', '-euc', seal, folder, program, ...args]] };
}

/**
 * The same machine, with a disk of so many megabytes of its own in the place of the folder, which is gone with the
 * program.
 */
export function ownDisk(folder: string, sizeMb: number): ReadOnlyRoot {
  const mount = `mount -t tmpfs -o size=${sizeMb}m none "$0"; exec "$@"`;
  return { command: (program, args) => ['unshare', [...namespace, 'sh', '-euc', mount, folder, program, ...args]] };
}

/** Where a program runs that is there already. Source: nsenter(1). */
export function beside(pid: number): ReadOnlyRoot {
  const spaces = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--preserve-credentials', '--mount'];
  return { command: (program, args) => ['nsenter', ['--target', String(pid), ...spaces, program, ...args]] };
}

/** Root needs no namespace of users. */
const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount'];

/** What the kernel itself serves takes no files; /dev holds what programs write their output to. */
const seal = `
mount --make-rprivate /
mount --bind "$0" "$0"
while read -r _ _ _ _ point _; do
  case "$point" in
    "$0" | /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) ;;
    *) mount -o remount,bind,ro "$point" ;;
  esac
done < /proc/self/mountinfo
cd /
exec "$@"
`;

/** Why this machine has no such place; null where it has. */
export function whyNoReadOnlyRoot(folder: string): string | null {
  const [program, args] = readOnlyRoot(folder).command('true', []);
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? null : `no read-only root can be made here: ${error?.message ?? stderr.trim()}`;
}
