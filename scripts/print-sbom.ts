/** Prints what the program is made of, by the lock file: `npm run sbom`, see docs/dependencies.md. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOf, licenceLines } from './bill.ts';
import { installedIn } from './lock-file.ts';

const help = `Usage: npm run sbom -- [options]

Prints what runs, by the lock file, as a bill of materials (CycloneDX 1.6, JSON).

  --licences  a list instead: package, version, licence
  --all       also what is needed to develop`;

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { all: flag, licences: flag, help: flag } });
const all = installedIn(fileURLToPath(new URL('../package-lock.json', import.meta.url)));
const chosen = values.all ? all : all.filter(({ isDevelopment }) => !isDevelopment);
const project = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const answer = () => (values.licences ? licenceLines(chosen).join('\n') : JSON.stringify(billOf(project, chosen), null, 2));
console.log(values.help ? help : answer());
