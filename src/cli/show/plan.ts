import type { Command } from 'commander';
import { totalsOf } from '../../explain/plan-totals.ts';
import { backoffOf, openBridge, preview, statusOf, workIn } from '../../wire/bridge.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { codeOf, endingOf, exitCodes, stackOf } from '../exit-code.ts';
import { paceOf } from '../migrate/meter.ts';
import { backoffInWords } from '../run/pass.ts';
import { saveFile } from '../verify/save-report.ts';
import { printPlan, type RoutePlan } from './plan-lines.ts';
import { planPage } from './plan-page.ts';

export function addPlan(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'plan',
    description:
      'Reads both sides and prints what bugferry once would write, and why it would leave other things undone. Writes nothing.',
    examples: [
      ['', 'what would be written'],
      ['--route widget --html plan.html', 'one route, with a page to look at'],
      ['--json', 'the same as one JSON document'],
      ['--config other.yaml', 'try another configuration'],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .option('--html <file>', 'also write a page that shows the new issues as GitHub will')
    .action(async (options: PlanOptions) => context.finish(await plan(context, options)));
}

interface PlanOptions extends CommonOptions {
  readonly route?: string;
  readonly html?: string;
}

async function plan(context: CommandContext, options: PlanOptions): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const config = readConfig(context, options);
  const bridge = openBridge(config, { mode: 'copy', signal, warn, tell: () => {} });
  try {
    const plans: RoutePlan[] = [];
    let code: number = exitCodes.well;
    for (const each of chosenRoutes(bridge.routes, options.route)) {
      const paused = backoffOf(each);
      if (paused !== null) {
        warn(`route ${each.name}: ${backoffInWords(paused)}`);
        code = Math.max(code, exitCodes.unreachable);
        continue;
      }
      try {
        const { store, allowances } = bridge;
        const { writesPerCycle } = config.limits;
        const [now, pace] = [bridge.clock.now(), { ...paceOf(config, bridge), writesPerCycle }];
        const found = await preview(each);
        plans.push({
          route: each.name,
          preview: found,
          status: statusOf(store, each.route, allowances, now, bridge.controlQueue.of(each.name)),
          totals: totalsOf({ ...found, left: workIn(store, each.route) }, pace, now),
        });
      } catch (error) {
        const ending = endingOf(error);
        warn(`route ${each.name}: ${ending.message ?? 'failed'}${options.verbose ? `\n${stackOf(error)}` : ''}`);
        code = Math.max(code, ending.code);
      }
    }
    if (options.json) terminal.json({ routes: plans.map(asDocument) });
    else for (const each of plans) printPlan(terminal, bridge, each);
    if (options.html !== undefined) {
      const { html } = options;
      const page = planPage(plans, bridge.store, bridge.clock.now());
      saveFile(html, page, (why) => `cannot write the page to ${html}: ${why}. Choose another file with --html.`);
      if (!options.json) terminal.out(`The plan as a page, with new issues as GitHub will show them: ${html}`);
    }
    const braked = plans.some((each) => each.preview.refusal !== null) ? exitCodes.braked : exitCodes.well;
    return Math.max(code, braked, codeOf(plans.map(({ status }) => status)));
  } finally {
    bridge.close();
  }
}

function asDocument({
  route,
  preview: { operations, waiting, left, unplanned, refusal, withdrawals },
  status,
  totals,
}: RoutePlan) {
  const { parked, conflicts, skips, setAside, rest } = status;
  // The path contains the name of the file, which is no longer public.
  const going = withdrawals.map((each) => (each.what === 'file' ? { ...each, path: null } : each));
  // While the route rests, nothing of the plan is written, whatever the totals say.
  const stuck = { rest, parked, conflicts, skips, setAside };
  return { route, totals, withdrawals: going, operations, waiting, left, unplanned, refusal, ...stuck };
}
