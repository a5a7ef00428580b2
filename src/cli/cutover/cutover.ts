import { type Command, InvalidArgumentError } from 'commander';
import { type Bridge, type BridgeRoute, openBridge } from '../../wire/bridge.ts';
import { lastDelta, takeBackRoute } from '../../wire/migrate.ts';
import { announce, type CommandContext, readConfig, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { type Meter, meterOf, paceOf } from '../migrate/meter.ts';
import { chosenRoutes } from '../migrate/options.ts';
import { verifyAfter } from '../migrate/rehearsal.ts';
import { cutOver } from './steps.ts';

export function addCutover(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'cutover',
    summary: "end the tracker's part: carry over what is left, compare, and tell its bugs where they are now",
    description:
      'Carries over what is left and compares both sides. Then it asks for each step, or takes those that --yes names: comment tells every mirrored public bug the address of its issue, close closes those that are open. Both together are one request and one e-mail for each bug. It may be stopped and begun again at any time. At the end it says how to send readers on and how to switch the route.',
    examples: [
      ['', 'carry over, compare, and ask for each step at a terminal'],
      ['--yes comment,close', 'without asking'],
      ['--yes close --status RESOLVED/MOVED', 'close with a status of its own'],
      ['--undo', 'give the bugs that were closed the status that they had'],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .option('--yes <steps>', 'do these without asking: comment, close, or both with a comma', stepsIn)
    .option('--status <status>', 'what close closes with, as STATUS/RESOLUTION; by default status.toTracker.not_planned', statusIn)
    .option('--despite-differences', 'go on although the comparison finds some')
    .option('--html <file>', 'write what the comparison found as a page for people')
    .option('--undo', 'reopen what close closed; comments stay, as no stock tracker deletes any')
    .action(async (options: CutoverOptions) => context.finish(await cutover(context, options)));
}

async function cutover(context: CommandContext, options: CutoverOptions): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const config = readConfig(context, options);
  const bridge = openBridge(config, { mode: 'write', signal, warn, tell: () => {} });
  const meter = meterOf(terminal, { isJson: options.json === true, pace: paceOf(config), now: bridge.clock.now });
  try {
    let code: number = exitCodes.well;
    for (const route of chosenRoutes(bridge, options.route)) {
      const ofRoute = options.undo ? await undo(context, options, { route, meter }) : await one(context, options, { bridge, route, meter });
      code = Math.max(code, ofRoute);
    }
    return code;
  } catch (error) {
    if (!signal.aborted) throw error;
    warn('stopped. Run the same command to go on; no bug is told twice.');
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

async function one(context: CommandContext, options: CutoverOptions, { bridge, route, meter }: Work): Promise<number> {
  const refusal = await lastDelta(route, meter.tell);
  meter.end();
  if (refusal !== null) {
    const advice = 'look at it with bugferry plan; if it is right, run bugferry once --force first';
    context.terminal.note(`bugferry: route ${route.name}: nothing was written, because ${refusal}; ${advice}`);
    return exitCodes.braked;
  }
  const closed = bridge.store.cutoverNotices.ofRoute(route.name).length;
  if (closed > 0) {
    if (options.json) context.terminal.json({ kind: 'begun before', route: route.name, closed });
    else context.terminal.out(`${route.name}: begun before, ${closed} bugs are closed already; both sides are not compared again.`);
  } else {
    const code = await verifyAfter(context, options, { bridge, route });
    if (code !== exitCodes.well && options.despiteDifferences !== true) {
      context.terminal.note('bugferry: nothing was told to the tracker. Mend what differs, or go on with --despite-differences.');
      return code;
    }
  }
  return cutOver(context, options, { route, meter });
}

async function undo({ terminal }: CommandContext, { json }: CutoverOptions, { route, meter }: Omit<Work, 'bridge'>): Promise<number> {
  const report = await takeBackRoute(route, meter.tell);
  const { reopened, left } = report;
  meter.end();
  if (json) terminal.json({ kind: 'taken back', route: route.name, ...report });
  else terminal.out(`${route.name}: ${reopened} bugs have the status that they had. Comments stay: no stock tracker deletes any.`);
  for (const line of left) terminal.note(`bugferry: ${line}`);
  return left.length === 0 ? exitCodes.well : exitCodes.attention;
}

const cutoverSteps = ['comment', 'close'] as const;
export type CutoverStep = (typeof cutoverSteps)[number];

export interface CutoverOptions {
  readonly config: string;
  readonly route?: string;
  readonly yes?: readonly CutoverStep[];
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
  throw new InvalidArgumentError(`The steps are ${cutoverSteps.join(' and ')}, with a comma between them.`);
}

function statusIn(text: string): readonly [string, string] {
  const [status = '', resolution = '', ...rest] = text.split('/');
  if (status !== '' && resolution !== '' && rest.length === 0) return [status, resolution];
  throw new InvalidArgumentError('It has to be STATUS/RESOLUTION, such as RESOLVED/MOVED.');
}
