/**
 * Starts the program from source, in plain JavaScript: an older Node.js cannot read a file of TypeScript, and would answer with a stack
 * trace before any line of ours runs.
 */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const here = `bugferry needs Node.js 22.18 or newer (24 is best), and this is ${process.versions.node}.`;
  process.stderr.write(
    `${here} Run npm ci in this folder: it installs Node.js 24, which npm run bugferry then uses.\n`,
  );
  process.exitCode = 2;
} else {
  // Without npm, a shell function named bugferry starts the program, so hints need not name npm.
  if (process.env.npm_lifecycle_event === undefined)
    process.argv[1] = new URL('../src/main.ts', import.meta.url).pathname;
  else endWithNpm();
  await import('../src/main.ts');
}

/** npm passes SIGTERM on to its shell alone, and the program would go on without either. */
function endWithNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
