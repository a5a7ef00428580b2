import { isOpenView, statusView } from '../core/status.ts';
import type { BridgeRoute } from '../wire.ts';
import { leaveTracker } from '../wire-migrate.ts';
import type { CutoverOptions, CutoverStep } from './cutover-options.ts';
import type { Desk } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { UsageError } from './failure.ts';

/** Carries out the steps that were named, or agreed to at the terminal, and says what is left to do by hand. Throws `SideError`. */
export async function cutOver(desk: Desk, options: CutoverOptions, route: BridgeRoute): Promise<number> {
  const { terminal } = desk;
  const closing = closingOf(route, options);
  const wishes = {
    comment: 'Tell every mirrored public bug where its issue is, which sends an e-mail for each',
    close: `Close every open one with ${closing.status}/${closing.resolution}`,
  };
  const steps = options.yes ?? (await asked(desk, wishes));
  let code: number = exitCodes.well;
  if (steps.length > 0) {
    const leave = { isTold: steps.includes('comment'), closing: steps.includes('close') ? closing : null };
    const { written, already, refused } = await leaveTracker(route, leave, () => {});
    terminal.out(`${route.name}: ${written} bugs written to, ${already} had it already.`);
    for (const line of refused) terminal.note(`bugferry: ${line}`);
    if (refused.length > 0) code = exitCodes.attention;
  }
  for (const line of lastWords(route, options)) terminal.out(line);
  return code;
}

async function asked({ questions, terminal }: Desk, wishes: Readonly<Record<CutoverStep, string>>): Promise<readonly CutoverStep[]> {
  if (questions === null) {
    terminal.out('Nothing was told to the tracker, as nobody can be asked here: name the steps with --yes comment,close.');
    return [];
  }
  const agreed: CutoverStep[] = [];
  for (const step of ['comment', 'close'] as const) {
    const answer = await questions.ask(`${wishes[step]} (yes or no)`, 'no');
    if (/^y(es)?$/iu.test(answer)) agreed.push(step);
  }
  return agreed;
}

/** A status that the route does not map would stand in every report as something to mend. */
function closingOf({ route }: BridgeRoute, { status: wanted, yes = [] }: CutoverOptions): { status: string; resolution: string } {
  const [status, resolution] = wanted ?? route.status.notPlanned;
  const view = statusView(route.status, status, resolution);
  if (view !== null && !isOpenView(view)) return { status, resolution };
  if (wanted === undefined && !yes.includes('close')) return { status, resolution };
  throw new UsageError(`${status}/${resolution} is no closed status of status.toGithub; add it there, or name another one with --status.`);
}

function lastWords({ name }: BridgeRoute, { config }: CutoverOptions): readonly string[] {
  return [
    'To send readers on:  bugferry redirects --format nginx > bugs.conf  (or apache, or csv)',
    `To switch the route: in ${config}, give route ${name} the line "direction: to-tracker", so that the tracker goes on showing what happens on GitHub;`,
    '                     or stop bugferry, and take the route out.',
  ];
}
