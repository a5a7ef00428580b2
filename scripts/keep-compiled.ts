import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Starts the program in a folder once as another user, so that what Node.js makes of its files is kept beside it
 * (`src/main.ts`). In an image, nothing can be kept later, and each start would make it again. Node.js finds it by its
 * own version and the number of the user. Code comes out of that folder, so in the end only root may write there.
 *
 *   node scripts/keep-compiled.ts FOLDER USER
 */
const [folder = '', user = ''] = process.argv.slice(2);
if (process.getuid?.() !== 0 || !/^\d+$/u.test(user)) {
  process.stderr.write('keep-compiled.ts: root starts it, with a folder and the number of a user\n');
  process.exit(2);
}
const uid = Number(user);
const kept = join(folder, 'node_modules', '.cache', 'bugferry');
const scratch = mkdtempSync(join(tmpdir(), 'bugferry-compile-'));
const config = join(scratch, 'bridge.json');
/** The port of the discard service, where nobody listens. */
const nowhere = 'http://127.0.0.1:9';

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
  const options = { uid, gid: uid, cwd: '/', timeout: 60_000, env: { ...process.env, ...environment } };
  const { error, signal } = spawnSync(process.execPath, [join(folder, 'dist', 'main.js'), ...args], options);
  if (error !== undefined || signal !== null) throw error ?? new Error(`${args[0]} was ended by ${signal}`);
}

try {
  mkdirSync(kept, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      instance: 'compile',
      state: join(scratch, 'state.db'),
      tracker: { url: nowhere, apiKey: 'none' },
      github: { url: nowhere, token: 'none' },
      routes: [
        { name: 'compile', tracker: { product: 'None' }, github: { repo: 'none/none' }, create: { component: 'None' } },
      ],
    }),
  );
  for (const path of [scratch, config, kept]) chownSync(path, uid, uid);
  // It reaches neither side, and leaves a state, without which `status` ends early. What a command made is kept for all
  // that share its files, so those that people wait for come first.
  start(['once', '--config', config], { NODE_DISABLE_COMPILE_CACHE: '1' });
  for (const args of [['status', '--config', config], ['--help'], ['once', '--config', config]]) start(args);
  const paths = [kept, ...readdirSync(kept, { recursive: true, encoding: 'utf8' }).map((name) => join(kept, name))];
  const files = paths.filter((path) => statSync(path).isFile());
  if (files.length === 0) throw new Error(`Node.js kept nothing in ${kept}`);
  for (const path of paths) {
    chownSync(path, 0, 0);
    chmodSync(path, files.includes(path) ? 0o644 : 0o755);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
