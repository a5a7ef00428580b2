import type { Command } from 'commander';
import { statusOf } from '../../explain/route-status.ts';
import { sideInWords } from '../../explain/words.ts';
import { sides } from '../../model/ids.ts';
import type { RouteStatus, SideStatus } from '../../model/route-status.ts';
import { openView } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { momentInWords, summaryLine } from '../summary.ts';
import { type Terminal, visible } from '../terminal.ts';
import { printCorrected, printFailure, printRefusal, printRetirement, printTrouble } from './status-lines.ts';

export function addStatus(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'status',
    description:
      'Shows the status of every route from the state file: what failed, waits or is parked, and what to do about it. Asks neither side.',
    examples: [
      ['', 'the status of all routes; also while the bridge runs'],
      [
        '> /dev/null || echo look',
        'exit code 1 unless every route is in step, its last cycle succeeded, and it was read within the last hour',
      ],
      ['--json', 'the same as one JSON document, for monitoring'],
    ],
  });
  withConfig(command).action((options: CommonOptions) => context.finish(status(context, options)));
}

function status(context: CommandContext, options: CommonOptions): number {
  const { terminal, signal } = context;
  const view = openView(readConfig(context, options), { signal, warn: terminal.note });
  try {
    const now = view.clock.now();
    const statuses = view.routes.map((route) => statusOf(view.store, route, view.allowances, now));
    if (options.json) terminal.json({ at: now, routes: statuses });
    else for (const status of statuses) printStanding(terminal, status, now);
    return statuses.every((status) => status.isInStep && !isStale(status)) ? exitCodes.well : exitCodes.attention;
  } finally {
    view.close();
  }
}

/** An old status means little: the bridge may have stopped since. A side asks for pauses of at most an hour. */
const staleMs = 3_660_000;

const isStale = ({ lagMs }: RouteStatus): boolean => lagMs !== null && lagMs > staleMs;

function printStanding(terminal: Terminal, status: RouteStatus, now: number): void {
  const { out, paint } = terminal;
  out(summaryLine(status, terminal));
  if (isStale(status))
    out(`  ${paint('red', 'stale')}     a side was last read more than an hour ago: is the bridge running, and does its log show errors?`);
  for (const failing of status.failures) printFailure(terminal, failing, now);
  for (const refused of status.refusals) printRefusal(terminal, refused, now);
  printTrouble(terminal, status);
  printCorrected(terminal, status, now);
  for (const side of sides) printRetirement(terminal, side, status.sides[side], now);
  for (const side of sides) out(`  ${paint('dim', visible(`${sideInWords(side)}: ${sideLine(status.sides[side], now)}`))}`);
}

function sideLine({ polledAt, isComplete, sweptAt, pause, budgets }: SideStatus, now: number): string {
  const parts = [
    `last read ${momentInWords(polledAt, now)}`,
    ...(isComplete ? [] : ['first full read not finished']),
    ...(sweptAt === null ? [] : [`last compared in full ${momentInWords(sweptAt, now)}`]),
    ...(pause === null ? [] : [`paused, resumes ${momentInWords(pause.until, now)}: ${pause.why}`]),
    ...budgets.map(
      ({ name, left, max, freeAt }) => `${left} of ${max} ${name} left${freeAt === null ? '' : `, more ${momentInWords(freeAt, now)}`}`,
    ),
  ];
  return parts.join('; ');
}
