import { beforeEach } from 'vitest';
import { hasTurn, turns } from './tiers.ts';

/** `npm test` runs the others of such a file on other days. vitest.config.ts says whether it is `npm test` that runs. */
const isTaken = process.env['TURNS'] === 'yes';

beforeEach(({ task, skip }) => {
  const days = isTaken ? (turns.get(task.file.name) ?? 1) : 1;
  skip(!hasTurn(task.fullTestName, Number(process.env['DAY']), days), 'it has its turn on another day');
});
