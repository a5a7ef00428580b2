/** Writes docs/mapping-examples.md anew. */

import { writeFileSync } from 'node:fs';
import { examplesPage } from '../test/text/examples.ts';

writeFileSync('docs/mapping-examples.md', examplesPage());
