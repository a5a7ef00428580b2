import type { Command } from 'commander';
import { isHalting, withoutEchoes } from '../../explain/failure.ts';
import { unreachedInWords } from '../../explain/notice.ts';
import { isEmpty } from '../../explain/progress.ts';
import { staleInWords } from '../../explain/standing.ts';
import { adviceOnStale } from '../../explain/verdict.ts';
import { pauseInWords, sideInWords, tokenEndInWords } from '../../explain/words.ts';
import { sides } from '../../model/ids.ts';
import type { RouteStatus, SideStatus } from '../../model/route-status.ts';
import { openView, statusesIn } from '../../wire/view.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { announce, type CommandContext, type CommonOptions, readSettings, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { agoInWords, momentInWords, summaryLine } from '../summary.ts';
import { type Terminal, visible } from '../terminal.ts';
import {
  printCorrected,
  printFailure,
  printRefusal,
  printRetirement,
  printTokenEnd,
  printTrouble,
} from './status-lines.ts';

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
  withConfig(command)
    .option('--route <name>', 'only this route')
    .action((options: StatusOptions) => context.finish(status(context, options)));
}

interface StatusOptions extends CommonOptions {
  readonly route?: string;
}

function status(context: CommandContext, options: StatusOptions): number {
  const { terminal, signal } = context;
  const reader = openView(readSettings(context, options), { signal, warn: terminal.note });
  try {
    const now = reader.clock.now();
    const routes = chosenRoutes(reader.routes, options.route);
    const statuses = statusesIn({ ...reader, routes });
    const broken = reader.controlQueue.broken();
    if (options.json) terminal.json({ at: now, routes: statuses, brokenCommands: broken });
    else {
      for (const status of statuses) printStanding(terminal, status, now);
      for (const { file, why } of broken)
        terminal.out(visible(`The command in ${file} was put aside: ${why}. ${advice}`));
    }
    return broken.length === 0 && statuses.every(({ isInStep }) => isInStep) ? exitCodes.well : exitCodes.attention;
  } finally {
    reader.close();
  }
}

const advice = 'Delete it, and give the command again.';

const triedMs = 3_600_000;

function printStanding(terminal: Terminal, status: RouteStatus, now: number): void {
  const { out, paint } = terminal;
  out(summaryLine(status, terminal));
  if (status.contact !== null) out(`  ${paint('dim', 'contact')}   ${visible(status.contact)}`);
  if (!status.isEnabled) {
    out(`  ${paint('dim', 'off')}       ${paint('dim', 'the configuration has enabled: false; its pairs are kept')}`);
    return;
  }
  const stale = status.isStale ? staleInWords(status, now) : null;
  const { standing, facts, todo } = status.verdict;
  if (standing === 'nothing mirrored') printReason(terminal, 'why', facts, todo ?? '');
  if (isEmpty(status)) out(`  ${paint('dim', visible(facts))}`);
  if (status.rest !== null)
    out(
      `  ${paint('yellow', 'paused')}    ${visible(pauseInWords(status.rest))}; bugferry resume ${status.route} ends that`,
    );
  for (const { words } of status.queued)
    out(`  ${paint('yellow', 'queued')}    ${visible(`the next cycle will ${words}`)}`);
  for (const failing of withoutEchoes(status.failures)) printFailure(terminal, failing, now);
  // What failed a minute ago is read by nobody: that is no second cause.
  const isTried = status.failures.some((each) => isHalting(each) && now - each.at < triedMs);
  if (stale !== null && !isTried) printReason(terminal, 'stale', stale, adviceOnStale);
  for (const refused of status.refusals) printRefusal(terminal, refused, now);
  printTrouble(terminal, status);
  printCorrected(terminal, status, now);
  for (const each of status.unreached)
    printReason(terminal, 'notify', unreachedInWords(each), `The next attempt is ${momentInWords(each.retryAt, now)}.`);
  for (const side of sides) printRetirement(terminal, side, status.sides[side], now);
  printTokenEnd(terminal, status.sides.github, now);
  if (status.lookedAt !== null && status.links.whole > 0)
    out(
      `  ${paint('dim', `visibility: all mirrored bugs were confirmed public; the oldest check was ${agoInWords(status.lookedAt, now)}`)}`,
    );
  for (const side of sides)
    out(`  ${paint('dim', visible(`${sideInWords(side)}: ${sideLine(status.sides[side], now)}`))}`);
}

function printReason({ out, paint }: Terminal, word: string, why: string, todo: string): void {
  out(`  ${paint('red', word.padEnd(9))} ${visible(why)}`);
  out(`            ${paint('dim', visible(todo))}`);
}

function sideLine(
  { polledAt, isComplete, hasMore, sweptAt, pause, tokenEndsAt, budgets }: SideStatus,
  now: number,
): string {
  const parts = [
    `last read ${agoInWords(polledAt, now)}`,
    ...(isComplete ? [] : ['first full read not finished']),
    ...(hasMore ? ['more changes are still to be read'] : []),
    ...(sweptAt === null ? [] : [`last compared in full ${agoInWords(sweptAt, now)}`]),
    ...(tokenEndsAt === null ? [] : [`the token ${tokenEndInWords(tokenEndsAt, now).words}`]),
    ...(pause === null ? [] : [`paused, resumes ${momentInWords(pause.until, now)}: ${pause.why}`]),
    ...budgets.flatMap(({ name, left, max, freeAt }) =>
      freeAt === null || left > 0 ? [] : [`all ${max} ${name} are used, the next ${momentInWords(freeAt, now)}`],
    ),
  ];
  return parts.join('; ');
}
