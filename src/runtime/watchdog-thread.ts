/**
 * The thread that watches the one that works. An event loop that is blocked cannot tell, and obeys no signal; this
 * thread sees that nothing moves while processor time is spent, notes the item, and ends the process.
 */
import { Buffer } from 'node:buffer';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchdogOptions } from './watchdog.ts';

const { shared, file, limitMs } = workerData as WatchdogOptions & { readonly shared: SharedArrayBuffer };
const [turns, length] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
const text = new Uint8Array(shared, 8);

/** Of the whole process, so that a process that waits for a disk or was stopped is not taken for a busy one. */
const spentMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const checkMs = 500;
let seen = -1;
let sinceMs = spentMs();

setInterval(() => {
  const turn = Atomics.load(turns, 0);
  if (turn !== seen) {
    seen = turn;
    sinceMs = spentMs();
  } else if (spentMs() - sinceMs >= limitMs) end();
}, checkMs);

function end(): void {
  const bytes = Buffer.from(text.slice(0, Atomics.load(length, 0)));
  if (bytes.length > 0) {
    const out = openSync(file, 'w', 0o600);
    writeSync(out, bytes);
    fsyncSync(out);
    closeSync(out);
  }
  const seconds = Math.round(limitMs / 1_000);
  const sequel =
    bytes.length > 0 ? 'The next start sets that item aside and goes on with the others.' : 'Please report it.';
  writeSync(
    2,
    `bugferry: one step of the work took more than ${seconds} s of processor time, so this process ends. ${sequel}\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}
