import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../explain/words.ts';
import { type Bridge, type BridgeRoute, openBridge } from '../../wire/bridge.ts';
import { lastDelta, takeBackRoute } from '../../wire/migrate.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { announce, type CommandContext, readConfig, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { type Meter, meterOf, paceOf } from '../migrate/meter.ts';
import { verifyAfter } from '../migrate/rehearsal.ts';
import { cutOver } from './steps.ts';
import { trial } from './trial.ts';

export function addCutover(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'cutover',
    description:
      'Carries over the rest and compares both sides. Then it asks before each step, or takes the steps in --yes: comment adds the address of the issue to every mirrored public bug; close closes the open ones. Both together take one request and send one e-mail for each bug. You can stop and resume it at any time. At the end, it explains how to redirect readers and how to switch the route.',
    examples: [
      ['--dry-run', 'what it would carry over, and how many bugs the steps concern'],
      ['', 'carry over, compare, and ask before each step'],
      ['--yes comment,close', 'without asking'],
      ['--yes close --status RESOLVED/MOVED', 'close with another status'],
      ['--undo', 'restore the status of the bugs that it closed'],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .option('--yes <steps>', 'take these steps without asking: comment, close, or both, with a comma', stepsIn)
    .option('--dry-run', 'write to neither side; print what would be done')
    .option(
      '--status <status>',
      'the status of closed bugs, as STATUS/RESOLUTION; by default status.toTracker.not_planned',
      statusIn,
    )
    .option('--despite-differences', 'continue even if the comparison finds differences')
    .option('--html <file>', 'write the comparison report as an HTML page')
    .addOption(
      new Option('--undo', 'reopen the bugs that close closed; comments cannot be deleted, and stay').conflicts(
        'dryRun',
      ),
    )
    .action(async (options: CutoverOptions) => context.finish(await cutover(context, options)));
}

async function cutover(context: CommandContext, options: CutoverOptions): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const config = readConfig(context, options);
  const bridge = openBridge(config, { mode: options.dryRun ? 'copy' : 'write', signal, warn, tell: () => {} });
  const meter = meterOf(terminal, {
    isJson: options.json === true,
    pace: paceOf(config, bridge),
    now: bridge.clock.now,
  });
  try {
    let code: number = exitCodes.well;
    for (const route of chosenRoutes(bridge.routes, options.route)) {
      const ofRoute = options.dryRun
        ? await trial(context, options, { bridge, route, pace: paceOf(config, bridge) })
        : options.undo
          ? await undoRoute(context, options, { route, meter })
          : await cutOverRoute(context, options, { bridge, route, meter });
      code = Math.max(code, ofRoute);
    }
    return code;
  } catch (error) {
    if (!signal.aborted) throw error;
    warn('stopped. Run the same command to resume; no bug gets a second comment.');
    return exitCodes.attention;
  } finally {
    meter.end();
    bridge.close();
  }
}

interface Work {
  readonly bridge: Bridge;
  readonly route: BridgeRoute;
  readonly meter: Meter;
}

async function cutOverRoute(
  context: CommandContext,
  options: CutoverOptions,
  { bridge, route, meter }: Work,
): Promise<number> {
  const refusal = await lastDelta(route, meter.tell);
  meter.end();
  if (refusal !== null) {
    const advice = 'check bugferry plan; if it is right, run bugferry once --force first';
    context.terminal.note(`bugferry: route ${route.name}: nothing was written, because ${refusal}; ${advice}`);
    return exitCodes.braked;
  }
  const closed = bridge.store.cutoverNotices.ofRoute(route.name).length;
  if (closed > 0) {
    if (options.json) context.terminal.json({ kind: 'begun before', route: route.name, closed });
    else
      context.terminal.out(
        `${route.name}: started earlier, ${counted(closed, 'bug')} already closed; both sides are not compared again.`,
      );
  } else {
    const code = await verifyAfter(context, options, { bridge, route });
    if (code !== exitCodes.well && options.despiteDifferences !== true) {
      const words = 'nothing was written to the tracker. Fix the differences, or continue with --despite-differences.';
      context.terminal.note(`bugferry: ${words}`);
      return code;
    }
  }
  return cutOver(context, options, { route, meter });
}

async function undoRoute(
  { terminal }: CommandContext,
  { json }: CutoverOptions,
  { route, meter }: Omit<Work, 'bridge'>,
): Promise<number> {
  const report = await takeBackRoute(route, meter.tell);
  meter.end();
  if (json) terminal.json({ kind: 'taken back', route: route.name, ...report });
  else
    terminal.out(
      `${route.name}: ${counted(report.reopened, 'bug has its', 'bugs have their')} old status back. The comments stay: stock trackers cannot delete them.`,
    );
  for (const line of report.left) terminal.note(`bugferry: ${line}`);
  return report.left.length === 0 ? exitCodes.well : exitCodes.attention;
}

const cutoverSteps = ['comment', 'close'] as const;
export type CutoverStep = (typeof cutoverSteps)[number];

export interface CutoverOptions {
  readonly config: string;
  readonly route?: string;
  readonly yes?: readonly CutoverStep[];
  readonly dryRun?: true;
  readonly undo?: true;
  readonly status?: readonly [status: string, resolution: string];
  readonly despiteDifferences?: true;
  readonly html?: string;
  readonly json?: true;
}

function stepsIn(text: string): readonly CutoverStep[] {
  const names = text.split(',').map((name) => name.trim());
  const found = cutoverSteps.filter((step) => names.includes(step));
  if (found.length === names.length) return found;
  throw new InvalidArgumentError(`The steps are ${cutoverSteps.join(' and ')}, separated by a comma.`);
}

function statusIn(text: string): readonly [string, string] {
  const [status = '', resolution = '', ...rest] = text.split('/');
  if (status !== '' && resolution !== '' && rest.length === 0) return [status, resolution];
  throw new InvalidArgumentError('It must be STATUS/RESOLUTION, such as RESOLVED/MOVED.');
}
