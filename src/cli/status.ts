import type { Command } from 'commander';
import { conflictInWords, operationInWords, sideInWords } from '../core/explain.ts';
import { failureInWords } from '../core/failure.ts';
import { sides } from '../model/side.ts';
import type { Failing, SideStanding, Standing } from '../model/standing.ts';
import type { Refused } from '../model/store.ts';
import { openBridge, standingOf } from '../wire.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { momentInWords, summaryLine } from './summary.ts';
import { type Terminal, visible } from './terminal.ts';

export function addStatus(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'status',
    summary: 'whether both sides are in step, and what is in the way',
    description:
      'Tells from the state file how every route stands: what failed, what waits, what is parked and what to do about it. Asks neither side.',
    examples: [
      ['', 'how all routes stand; also while the bridge runs'],
      [
        '> /dev/null || echo look',
        'exit code 1 unless every route is in step, its last cycle went through, and it was read within the hour',
      ],
      ['--json', 'the same as one JSON document, for monitoring'],
    ],
  });
  withConfig(command).action((options: CommonOptions) => desk.finish(status(desk, options)));
}

function status(desk: Desk, options: CommonOptions): number {
  const { terminal, signal } = desk;
  const bridge = openBridge(readConfig(desk, options), { mode: 'read', signal, warn: terminal.note, tell: () => {} });
  try {
    const now = bridge.clock.now();
    const standings = bridge.routes.map(({ route }) => standingOf(bridge.store, route, bridge.allowances, now));
    if (options.json) terminal.json({ at: now, routes: standings });
    else for (const standing of standings) printStanding(terminal, standing, now);
    return standings.every((standing) => standing.isInStep && !isStale(standing)) ? exitCodes.well : exitCodes.attention;
  } finally {
    bridge.close();
  }
}

/** What was in step long ago says little: the bridge may have stopped since. A side asks for a pause of an hour at most. */
const staleMs = 3_660_000;

const isStale = ({ lagMs }: Standing): boolean => lagMs !== null && lagMs > staleMs;

function printStanding(terminal: Terminal, standing: Standing, now: number): void {
  const { out, paint } = terminal;
  out(summaryLine(standing, terminal));
  if (isStale(standing))
    out(`  ${paint('red', 'stale')}     a side was last read more than an hour ago: is the bridge running, and does its log complain?`);
  for (const failing of standing.failures) printFailure(terminal, failing, now);
  for (const refused of standing.refusals) printRefusal(terminal, refused, now);
  printTrouble(terminal, standing);
  printCorrected(terminal, standing, now);
  for (const side of sides) out(`  ${paint('dim', visible(`${sideInWords(side)}: ${sideLine(standing.sides[side], now)}`))}`);
}

function printFailure({ out, paint }: Terminal, failing: Failing, now: number): void {
  const { of, needsPerson, count, sinceAt, at, advice } = failing;
  const first = count === 1 ? '' : `, for the first time ${momentInWords(sinceAt, now)}`;
  const when = of === 'state' ? '' : `That was ${momentInWords(at, now)}${first}. `;
  out(`  ${paint(needsPerson ? 'red' : 'yellow', 'failed')}    ${visible(failureInWords(failing))}`);
  out(`            ${paint('dim', `${when}${advice}`)}`);
}

function printRefusal({ out, paint }: Terminal, { of, at, why }: Refused, now: number): void {
  const [what, look, force] =
    of === 'plan'
      ? ['the plan', 'Look at bugferry plan', 'once --force']
      : [`the full comparison with ${sideInWords(of)}`, 'Look whether the account still sees everything', 'once --sweep --force'];
  out(`  ${paint('red', 'refused')}   ${visible(`the brake stopped ${what} ${momentInWords(at, now)}: ${why}`)}`);
  out(`            ${paint('dim', `${look}; bugferry ${force} lets it through. See "The brake" in docs/operating.md.`)}`);
}

/** No more of them than people read; "explain" has all of a pair. */
const correctedMax = 5;

/** Nothing is in the way here: this is what the bridge did about it. */
function printCorrected({ out, paint }: Terminal, { corrected }: Standing, now: number): void {
  for (const { about, on, fields, at } of corrected.slice(0, correctedMax)) {
    const words = `${about}: ${fields.join(', ')} had been changed on ${sideInWords(on)}; ${momentInWords(at, now)}`;
    out(`  ${paint('dim', 'put right')}  ${visible(words)}`);
  }
  const more = corrected.length - correctedMax;
  if (more > 0) out(`             ${paint('dim', `and ${more} more within the last day; bugferry explain tells the story of a pair`)}`);
}

/** What is in the way of a route, and what a person can do about it. */
export function printTrouble({ out, paint }: Terminal, standing: Standing): void {
  for (const { number, about, operation, why, attempts } of standing.parked) {
    out(`  ${paint('red', 'parked')}    ${visible(`${number}. ${about}: ${operationInWords(operation, null, 'planned').what}`)}`);
    out(`            ${visible(why ?? `no success in ${attempts} attempts`)}`);
    const advice = `Change what is in the way; the next full comparison (schedule.sweep) tries again, or bugferry retry ${number} does now.`;
    out(`            ${paint('dim', advice)}`);
  }
  for (const { about, operation } of standing.doubts) {
    const words = `${about}: ${operationInWords(operation, null, 'planned').what}; the next cycle looks whether it arrived`;
    out(`  ${paint('yellow', 'in doubt')}  ${visible(words)}`);
  }
  if (standing.unshown > 0) {
    const words = `${standing.unshown} comments that the tracker said it had stored, and does not show; after one more look they are written again`;
    out(`  ${paint('yellow', 'in doubt')}  ${visible(words)}`);
  }
  for (const conflict of standing.conflicts) {
    const style = conflict.kept === null ? 'red' : 'dim';
    out(`  ${paint(style, 'conflict')}  ${visible(`${conflict.about}: ${conflictInWords(conflict)}`)}`);
  }
  // What is in the way of several fields of one bug is said once.
  const waiting = standing.skips.map(({ needsPerson, about, reason }) => {
    const word = paint(needsPerson ? 'red' : 'dim', needsPerson ? 'needs you' : 'waits');
    return `  ${word}  ${visible(`${about}: ${reason}`)}`;
  });
  for (const line of new Set(waiting)) out(line);
}

function sideLine({ polledAt, isComplete, sweptAt, pause, budgets }: SideStanding, now: number): string {
  const parts = [
    `last read ${momentInWords(polledAt, now)}`,
    ...(isComplete ? [] : ['its first full reading is not finished']),
    ...(sweptAt === null ? [] : [`last compared in full ${momentInWords(sweptAt, now)}`]),
    ...(pause === null ? [] : [`paused, goes on ${momentInWords(pause.until, now)}: ${pause.why}`]),
    ...budgets.map(
      ({ name, left, max, freeAt }) => `${left} of ${max} ${name} left${freeAt === null ? '' : `, more ${momentInWords(freeAt, now)}`}`,
    ),
  ];
  return parts.join('; ');
}
