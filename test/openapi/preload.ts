/**
 * Loaded by a process that has a sandbox GitHub of its own (`--import`): it fails at its end if GitHub does not describe
 * what passed there.
 */

import { writeSync } from 'node:fs';
import './described.ts';
import { undescribed } from './watch.ts';

process.on('exit', () => {
  const problems = undescribed();
  if (problems.length === 0) return;
  writeSync(2, `GitHub describes no such requests or answers:\n${problems.join('\n')}\n`);
  process.exitCode = 70;
});
