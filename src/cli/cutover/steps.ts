import { isOpenView, statusView } from '../../fields/status.ts';
import type { BridgeRoute } from '../../wire/bridge.ts';
import { leaveTracker } from '../../wire/migrate.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import type { Meter } from '../migrate/meter.ts';
import type { CutoverOptions, CutoverStep } from './cutover.ts';

/** Carries out the steps that were named, or agreed to at the terminal, and says what is left to do by hand. Throws `SideError`. */
export async function cutOver(context: CommandContext, options: CutoverOptions, { route, meter }: Place): Promise<number> {
  const { terminal } = context;
  const closing = closingOf(route, options);
  const wishes = {
    comment: 'Tell every mirrored public bug where its issue is, which sends an e-mail for each',
    close: `Close every open one with ${closing.status}/${closing.resolution}`,
  };
  const steps = options.yes ?? (await asked(context, wishes, options.json === true));
  let code: number = exitCodes.well;
  if (steps.length > 0) {
    const leave = { isTold: steps.includes('comment'), closing: steps.includes('close') ? closing : null };
    const report = await leaveTracker(route, leave, meter.tell);
    const { written, already, refused } = report;
    meter.end();
    if (options.json) terminal.json({ kind: 'left', route: route.name, steps, ...report });
    else terminal.out(`${route.name}: ${written} bugs written to, ${already} had it already.`);
    for (const line of refused) terminal.note(`bugferry: ${line}`);
    if (refused.length > 0) code = exitCodes.attention;
  }
  if (!options.json) for (const line of lastWords(route, options)) terminal.out(line);
  return code;
}

interface Place {
  readonly route: BridgeRoute;
  readonly meter: Meter;
}

async function asked(
  { questions, terminal }: CommandContext,
  wishes: Readonly<Record<CutoverStep, string>>,
  isJson: boolean,
): Promise<readonly CutoverStep[]> {
  if (questions === null || isJson) {
    terminal.note('bugferry: nothing was told to the tracker, as nobody can be asked here: name the steps with --yes comment,close.');
    return [];
  }
  const agreed: CutoverStep[] = [];
  for (const step of ['comment', 'close'] as const) {
    const answer = await questions.ask(`${wishes[step]} (yes or no)`, 'no');
    if (/^y(es)?$/iu.test(answer)) agreed.push(step);
  }
  return agreed;
}

/** A status that the route does not map would stand in every report as something to mend; a duplicate is one of a certain bug. */
function closingOf({ route }: BridgeRoute, { status: wanted, yes = [] }: CutoverOptions): { status: string; resolution: string } {
  const [status, resolution] = wanted ?? route.status.notPlanned;
  const view = statusView(route.status, status, resolution);
  if (view === 'duplicate')
    throw new UsageError(`${status}/${resolution} says of which bug another is a duplicate; name a status without that with --status.`);
  if (view !== null && !isOpenView(view)) return { status, resolution };
  if (wanted === undefined && !yes.includes('close')) return { status, resolution };
  throw new UsageError(`${status}/${resolution} is no closed status of status.toGithub; add it there, or name another one with --status.`);
}

function lastWords({ name }: BridgeRoute, { config }: CutoverOptions): readonly string[] {
  return [
    'To send readers on:  bugferry redirects --format nginx > bugs.conf  (or apache, or csv)',
    `To switch the route: in ${config}, give route ${name} the line "direction: to-tracker", so that the tracker goes on showing what happens on GitHub;`,
    '                     or stop bugferry, and take the route out. Until then it undoes on GitHub what people change there.',
  ];
}
