/** `npm run soak`: the built daemon under people, faults and restarts, for as long as you like. */

import { parseArgs } from 'node:util';
import { megabytes } from './gauge.ts';
import { soak } from './soak.ts';

const help = `Usage: npm run soak -- [options]

Runs the built daemon (npm run build) between both sandbox servers while people edit, requests go wrong and the process is stopped and
killed, webhooks come and go, and somebody looks at the pages. Nothing leaves this machine. Ends with 1 when something is wrong, and says what.

  --minutes N   how long people are at work; 5 unless told
  --seed N      what is drawn at random; told, so that a run can be repeated, as far as time allows
  --help        this text`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (values.help) console.log(help);
else if (!(minutes > 0)) {
  console.error('--minutes takes a number above 0.');
  process.exitCode = 2;
} else {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  console.log(`seed ${seed}`);
  const busyMs = minutes * 60_000;
  const { complaints, acts, faults, writes, hooks, pages, warnings, memoryMax, handlesMax } = await soak({
    busyMs,
    seed,
    restarts: Math.max(2, Math.round(minutes)),
    report: (line) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`),
  });
  console.log(
    `${acts} acts of people, ${writes} writes, ${faults} faults, ${hooks} webhooks, ${pages} pages, ${warnings} warnings; at most ${megabytes(memoryMax)} and ${handlesMax} handles`,
  );
  for (const complaint of complaints) console.log(`WRONG  ${complaint}`);
  if (complaints.length === 0) console.log('All is well.');
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
