import { judgeClosing } from '../../check/closing.ts';
import { counted } from '../../explain/words.ts';
import type { BridgeRoute } from '../../wire/bridge.ts';
import { leaveTracker } from '../../wire/migrate.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import type { Meter } from '../migrate/meter.ts';
import { yesOrNo } from '../terminal.ts';
import type { CutoverOptions, CutoverStep } from './cutover.ts';

/** Takes the steps that the user named or agreed to, and prints the remaining manual steps. Throws `SideError`. */
export async function cutOver(
  context: CommandContext,
  options: CutoverOptions,
  { route, meter }: Place,
): Promise<number> {
  const { terminal } = context;
  const closing = closingOf(route, options);
  const wording = {
    comment: 'Add a comment with the address of its issue to every mirrored public bug, which sends one e-mail each',
    close: `Close every open mirrored bug as ${closing.status}/${closing.resolution}`,
  };
  const steps = options.yes ?? (await asked(context, wording, options.json === true));
  // Nobody was asked, so nobody is sent away from the tracker.
  if (steps === null) return exitCodes.attention;
  let code: number = exitCodes.well;
  if (steps.length > 0) {
    const leave = { addsComment: steps.includes('comment'), closing: steps.includes('close') ? closing : null };
    const report = await leaveTracker(route, leave, meter.tell);
    const { written, already, refused } = report;
    meter.end();
    if (options.json) terminal.json({ kind: 'left', route: route.name, steps, ...report });
    else
      terminal.out(
        `${route.name}: ${counted(written, 'bug')} updated, ${already} ${already === 1 ? 'was' : 'were'} up to date.`,
      );
    for (const line of refused) terminal.note(`bugferry: ${line}`);
    if (refused.length > 0) code = exitCodes.attention;
  }
  if (!options.json && code === exitCodes.well) for (const line of nextSteps(route, options)) terminal.out(line);
  return code;
}

interface Place {
  readonly route: BridgeRoute;
  readonly meter: Meter;
}

async function asked(
  { questions, terminal }: CommandContext,
  wording: Readonly<Record<CutoverStep, string>>,
  isJson: boolean,
): Promise<readonly CutoverStep[] | null> {
  if (questions === null || isJson) {
    terminal.note(
      'bugferry: nothing was written to the tracker, as there is no terminal to ask at: name the steps with --yes comment,close.',
    );
    return null;
  }
  const agreed: CutoverStep[] = [];
  for (const step of ['comment', 'close'] as const) {
    const answer = await questions.ask({ question: wording[step], ...yesOrNo });
    if (/^y(es)?$/iu.test(answer)) agreed.push(step);
  }
  return agreed;
}

/** Rejects a status that the map lacks, because every report would list it, and one that needs the number of a bug. */
function closingOf(
  { route }: BridgeRoute,
  { status: wanted, yes = [] }: CutoverOptions,
): { status: string; resolution: string } {
  const [status, resolution] = wanted ?? route.status.notPlanned;
  const verdict = judgeClosing(route.status, status, resolution);
  if (verdict === 'is-duplicate')
    throw new UsageError(
      `${status}/${resolution} needs the number of the other bug; choose a status other than a duplicate with --status.`,
    );
  if (verdict === 'closes' || (wanted === undefined && !yes.includes('close'))) return { status, resolution };
  throw new UsageError(
    `${status}/${resolution} is not a closed status in status.toGithub; add it there, or choose another one with --status.`,
  );
}

function nextSteps({ name, route: { direction } }: BridgeRoute, { config }: CutoverOptions): readonly string[] {
  return [
    'To redirect readers: bugferry redirects --format nginx > bugs.conf  (or apache, or csv)',
    `To switch the route: in ${config}, give route ${name} the line "direction: to-tracker", so that the tracker keeps showing changes from GitHub;`,
    `                     or stop bugferry and remove the route.${direction === 'to-github' ? ' Until then, it reverts changes that people make on GitHub.' : ''}`,
  ];
}
