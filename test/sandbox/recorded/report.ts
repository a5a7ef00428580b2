/**
 * Plays all recordings to the sandbox tracker and prints how many were answered alike: `npm run recordings`. With a part of a name,
 * `npm run recordings -- attach`, it prints what differs in the recordings that have it in theirs.
 */

import { allRecorded } from '../../bugzilla/api/recorded.ts';
import { type Played, playScenario } from './play.ts';
import { differentByDecision, notPlayable, scenarios } from './recorded.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const played: Played[] = [];
for (const scenario of scenarios) played.push(...(await playScenario(scenario)));

const names = allRecorded().map(({ name }) => name);
const differing = new Set(played.filter(({ differences }) => differences.length > 0).map(({ name }) => name));
const unexplained = [...differing].filter((name) => !(name in differentByDecision));
const isPlayed = new Set(played.map(({ name }) => name));
const unplaced = names.filter((name) => !isPlayed.has(name) && !(name in notPlayable));

const wanted = process.argv[2];
if (wanted !== undefined) {
  for (const { name, caller, differences } of played.filter((play) => play.name.includes(wanted) && play.differences.length > 0)) {
    print(`${name} (to ${caller})`);
    for (const { what, path, recorded, answered } of differences) {
      print(`  ${what} ${path}\n    recorded ${JSON.stringify(recorded)}\n    answered ${JSON.stringify(answered)}`);
    }
  }
}

print(`recordings             ${names.length}`);
print(`played                 ${isPlayed.size}`);
print(
  `  equal                ${isPlayed.size - differing.size} (${((100 * (isPlayed.size - differing.size)) / isPlayed.size).toFixed(1)} %)`,
);
print(`  different by decision ${differing.size - unexplained.length}`);
for (const [name, reason] of Object.entries(differentByDecision)) print(`    ${name}: ${reason}`);
print(`  different, unexplained ${unexplained.length}`);
if (wanted === undefined) for (const name of unexplained) print(`    ${name}`);
print(`not playable           ${Object.keys(notPlayable).length}`);
for (const [name, reason] of Object.entries(notPlayable)) print(`    ${name}: ${reason}`);
if (unplaced.length > 0) print(`in no list             ${unplaced.length}\n    ${unplaced.join(' ')}`);
process.exitCode = unexplained.length + unplaced.length > 0 ? 1 : 0;
