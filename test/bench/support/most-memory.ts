/**
 * JavaScript that makes a process say at its end how much memory it had at most, in kB: a line `most 12345` on its
 * standard error. Node's `maxRSS` is not asked: Linux counts in it what the process that started this one had at that
 * moment (execve keeps the highest of both).
 */
export const tellsMostMemory = `process.on('exit', () => {
  const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8');
  console.error('most', /VmHWM:\\s+(\\d+)/u.exec(status)[1]);
});`;

/** The same as a module, for `--import`. */
export const mostMemoryModule = `data:text/javascript,${encodeURIComponent(tellsMostMemory)}`;

/** What that line says, in kB. */
export const mostMemoryIn = (err: string): number => Number(/^most (\d+)$/mu.exec(err)?.[1]);
