/**
 * Plays all recordings to the sandbox tracker and prints how many were answered alike, by version: `npm run
 * recordings`. With a part of a name, `npm run recordings -- attach`, it prints what differs in the recordings that
 * have it in theirs.
 */

import { allRecorded } from '../../bugzilla/api/recorded.ts';
import { type Played, playScenario } from './play.ts';
import { type Recordings, recordings } from './recorded.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const wanted = process.argv[2];

function printDifferences({ name, caller, differences }: Played): void {
  print(`${name} (to ${caller})`);
  for (const { what, path, recorded, answered } of differences) {
    print(`  ${what} ${path}\n    recorded ${JSON.stringify(recorded)}\n    answered ${JSON.stringify(answered)}`);
  }
}

/** Whether every recording of the version has its place. */
async function report({ version, scenarios, notPlayable }: Recordings): Promise<boolean> {
  const played: Played[] = [];
  for (const scenario of scenarios) played.push(...(await playScenario(scenario, version)));
  const names = allRecorded(version).map(({ name }) => name);
  const isPlayed = new Set(played.map(({ name }) => name));
  const different = played.filter(({ differences }) => differences.length > 0);
  const differing = new Set(different.map(({ name }) => name));
  const unplaced = names.filter((name) => !isPlayed.has(name) && !(name in notPlayable));
  if (wanted !== undefined)
    for (const play of different.filter(({ name }) => name.includes(wanted))) printDifferences(play);
  const equal = isPlayed.size - differing.size;
  print(
    `${version.padEnd(8)} recordings ${names.length}  played ${isPlayed.size}  equal ${equal}  different ${differing.size}`,
  );
  if (wanted === undefined) for (const name of differing) print(`  different     ${name}`);
  for (const [name, reason] of Object.entries(notPlayable)) print(`  not playable  ${name}: ${reason}`);
  for (const name of unplaced) print(`  in no list    ${name}`);
  return differing.size + unplaced.length === 0;
}

for (const part of recordings) if (!(await report(part))) process.exitCode = 1;
