/** `npm run live`: the built daemon between a live tracker and the sandbox's GitHub. */

import { execSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { readKeys } from './keys.ts';
import { live } from './live.ts';
import { type RestoredOptions, restored } from './restored.ts';

const help = `Usage: npm run live -- --tracker URL --keys FILE [options]

Runs the built daemon (npm run build) between a live tracker, which should be one for tests, and a GitHub in memory. People edit both sides,
requests go wrong on the way, and the daemon is stopped and killed. Then both sides are compared whole. It files bugs on the tracker, and
the tracker may send mails. Ends with 0 when nothing is wrong, and otherwise with 1, and says what is.

  --tracker URL   where the tracker is, without /rest
  --keys FILE     accounts and their API keys, as JSON; docs/trackers.md has an example
  --seed N        what is drawn at random; told, so that a run can be repeated, as far as time allows
  --seeds N       so many runs, one after the other, with the seeds that follow
  --before CMD    a command of the shell that puts the tracker back before each run: comments that an earlier run mirrored into another
                  repository are differences to verify
  --minutes N     how long people are at work in each; 1 unless told
  --restore state instead, thirty edits after a backup of the bridge's state, which then comes back
  --dump CMD --load CMD
                  the same with the tracker's database, which these commands of the shell keep and put back
  --help          this text`;

const { values } = parseArgs({
  options: {
    tracker: { type: 'string' },
    keys: { type: 'string' },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    before: { type: 'string' },
    restore: { type: 'string' },
    dump: { type: 'string' },
    load: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<number> {
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [minutes, seeds] = [Number(values.minutes), Number(values.seeds)];
  const first = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  if (values.tracker === undefined || values.keys === undefined)
    return wrong('--tracker and --keys are needed; --help tells more.');
  if (!(minutes > 0) || !Number.isInteger(seeds) || seeds < 1 || !Number.isInteger(first))
    return wrong('--minutes takes a number above 0, --seed and --seeds whole numbers.');
  const back = goingBack();
  if (back === undefined) return wrong('--restore takes "state"; --dump and --load are needed together.');
  const keys = readKeys(values.keys);
  const url = values.tracker.replace(/\/+$/u, '');
  let failed = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    if (values.before !== undefined) execSync(values.before, { stdio: 'ignore' });
    const report = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);
    const place = { url, keys, seed, report };
    const lived =
      back === null ? live({ ...place, busyMs: minutes * 60_000, restarts: 2 }) : restored({ ...place, back });
    const { complaints, acts, faults, requests, writes } = await lived;
    console.log(
      `seed ${seed}: ${acts} acts of people, ${faults} faults, ${requests} requests to the tracker, ${writes} of them writes`,
    );
    for (const complaint of complaints) console.log(`WRONG  ${complaint}`);
    console.log(complaints.length === 0 ? 'All is well.' : `${complaints.length} things are wrong.`);
    if (complaints.length > 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

/** What goes back; null for nothing, undefined if the options say something else. */
function goingBack(): RestoredOptions['back'] | null | undefined {
  const { restore, dump, load } = values;
  if (restore === 'state' && dump === undefined && load === undefined) return 'state';
  if (restore !== undefined || (dump === undefined) !== (load === undefined)) return undefined;
  if (dump === undefined || load === undefined) return null;
  const run = (command: string) => () => void execSync(command, { stdio: 'ignore' });
  return { dump: run(dump), load: run(load) };
}

function wrong(words: string): number {
  console.error(words);
  return 2;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = wrong(error instanceof Error ? error.message : String(error));
}
