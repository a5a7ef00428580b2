/** Writes the examples of docs/mapping.md anew. */

import { readFileSync, writeFileSync } from 'node:fs';
import { beginning, examplesPage } from '../test/text/examples.ts';

const file = 'docs/mapping.md';
const [before = ''] = readFileSync(file, 'utf8').split(beginning);
writeFileSync(file, before + examplesPage());
