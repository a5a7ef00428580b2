#!/usr/bin/env node
/**
 * The process: checks its Node before anything native is loaded, hands over the arguments, passes on signals, and ends
 * with the exit code of the command. The first signal asks for an orderly end, the second one ends at once.
 */
import { join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const here = `bugferry needs Node.js 22.18 or newer (24 is best), and this is ${process.versions.node}.`;
  process.stderr.write(`${here} Get it from https://nodejs.org/en/download, or run the image, which contains it.\n`);
  process.exitCode = 2;
} else {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
  }
  const args = process.argv.slice(2);
  // The daemon outlives its terminal and whoever reads its output. Another command has nobody left to work for.
  const isDaemon = args[0] === 'run';
  const isShow = args[0] === 'demo' && !args.includes('--exit') && !args.includes('--try');
  process.on('SIGHUP', () => (isDaemon ? undefined : stop.abort()));
  process.stderr.on('error', () => {});
  let isUnsaid = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A show without a spectator is over: nothing else would end it.
    if (error.code === 'EPIPE' && isShow) return stop.abort();
    // A reader that has gone away (`bugferry status | head -1`) is no reason to complain, or to end otherwise.
    if (isDaemon || isUnsaid || error.code === 'EPIPE') return;
    // A disk that is full stops no work that is begun.
    isUnsaid = true;
    process.stderr.write(`bugferry: The output cannot be written: ${error.message}\n`);
  });
  const surroundings = {
    stdout: process.stdout,
    stderr: process.stderr,
    get stdin() {
      return process.stdin;
    },
    signal: stop.signal,
    // The script by which npm starts the program in a clone, where no bugferry is installed.
    ...(/scripts[\\/]start\.js$/u.test(process.argv[1] ?? '') ? { runAs: 'npm run bugferry --' } : {}),
    crashes: (tell: (error: unknown) => number) =>
      void process.on('uncaughtException', (error) => process.exit(tell(error))),
  };
  if (args[0] === 'health') {
    const { quickHealth } = await import('./cli/show/quick-health.ts');
    const code = await quickHealth(args.slice(1), surroundings);
    if (code !== null) process.exit(code);
  }
  // Node keeps what it makes of each file, so that a start does not compile them all again. Code comes out of this
  // folder, so it lies where only those who installed the program may write; where they are others, nothing is kept.
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bugferry'));
  const { runCommand } = await import('./cli/program.ts');
  const code = await runCommand(args, surroundings);
  if (!stop.signal.aborted) await Promise.all([process.stdout, process.stderr].map(allWritten));
  process.exit(isUnsaid && code === 0 ? 1 : code);
}

/**
 * What a pipe does not take at once, Node writes in the background, and the end of the process would lose it: a reader
 * may be slow. By then, a failure is known, too.
 */
async function allWritten(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise((done) => stream.write('', done));
}
