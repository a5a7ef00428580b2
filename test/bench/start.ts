/** Opens a state file, makes one cycle between two empty servers, and prints how long that took and how much memory there is. */
import { bridged } from './bridge.ts';

const [file = ''] = process.argv.slice(2);
const startedMs = performance.now();
const bridge = await bridged({ file });
await bridge.round();
const readyMs = performance.now() - startedMs;
for (let cycle = 0; cycle < 20; cycle += 1) {
  bridge.wait(60_000);
  await bridge.round();
}
globalThis.gc?.();
process.stdout.write(JSON.stringify({ readyMs, rssMb: process.memoryUsage().rss / 1e6 }));
await bridge.close();
