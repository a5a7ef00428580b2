import { type Command, Option } from 'commander';
import { type Bridge, type BridgeRoute, openBridge, statusOf } from '../../wire/bridge.ts';
import { migrateRoute } from '../../wire/migrate.ts';
import { announce, type CommandContext, withConfig } from '../context.ts';
import { codeOf, exitCodes } from '../exit-code.ts';
import { printTrouble } from '../show/status-lines.ts';
import { summaryLine } from '../summary.ts';
import { dryRun } from './forecast.ts';
import { type Meter, meterOf, paceOf } from './meter.ts';
import { countIn, type MigrateOptions, migratedRoutes, writerFor } from './options.ts';
import { readRehearsed, verifyAfter } from './rehearsal.ts';

export function addMigrate(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'migrate',
    summary: 'carry a whole tracker over once; may be stopped and begun again at any time',
    description:
      "Makes an issue of every bug that has none, with its comments, dates and state, by GitHub's issue import. What stands already is found and not made again. Afterwards bugferry run goes on from there, or bugferry cutover ends the tracker's part.",
    examples: [
      ['--dry-run', 'what would be done and how long it takes, and a page that shows how bugs will look'],
      ['--rehearse acme/trial --limit 20', 'a rehearsal with the first twenty bugs in another repository'],
      ['', 'all bugs of all routes'],
      ['--numbers keep', 'into an empty repository, so that issue 12 is bug 12'],
      ['--writer api', "without import: through the normal interface, within GitHub's limits on content"],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .option('--rehearse <repository>', 'into another repository (owner/name), with a state file of its own')
    .option('--dry-run', 'write nothing to either side; tell what would be done')
    .option('--preview <file>', 'where --dry-run shows how bugs will look', 'bugferry-preview.html')
    .option('--samples <count>', 'how many bugs it shows', countIn, 20)
    .option('--limit <count>', 'make no more than so many issues this time', countIn)
    .option('--html <file>', 'write what the comparison afterwards found as a page for people')
    .option('--no-verify', 'do not compare both sides afterwards')
    .addOption(
      new Option('--writer <kind>', 'how issues are made; by default import, where the account administers the repository').choices([
        'import',
        'api',
      ]),
    )
    .addOption(new Option('--numbers <kind>', 'which numbers issues get').choices(['free', 'keep']).default('free'))
    .action(async (options: MigrateOptions) => context.finish(await (options.dryRun ? dryRun : migrate)(context, options)));
}

async function migrate(context: CommandContext, options: MigrateOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readRehearsed(context, options);
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(config, { mode: 'write', signal, warn, tell: () => {} });
  const meter = meterOf(terminal, { isJson: options.json === true, pace: paceOf(config), now: bridge.clock.now });
  try {
    let code: number = exitCodes.well;
    for (const route of migratedRoutes(bridge, options)) {
      code = Math.max(code, await migrateOne(context, options, { bridge, route, meter }));
      if (signal.aborted) break;
    }
    return code;
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

async function migrateOne(context: CommandContext, options: MigrateOptions, { bridge, route, meter }: Work): Promise<number> {
  const { terminal, signal } = context;
  const { numbers, limit = null, json } = options;
  try {
    const writer = await writerFor(context, options, route);
    if (writer === null) return exitCodes.unreachable;
    const report = await migrateRoute(route, { writer, numbers, limit, tell: meter.tell });
    meter.end();
    const status = statusOf(bridge.store, route.route, bridge.allowances, bridge.clock.now());
    if (json) terminal.json({ kind: 'migrated', route: route.name, ...report, status });
    else {
      terminal.out(`${route.name}: ${report.imported} issues made${report.parked > 0 ? `, ${report.parked} bugs parked` : ''}.`);
      printTrouble(terminal, status);
      terminal.out(summaryLine(status, terminal));
    }
    if (report.stopped !== null) terminal.note(`bugferry: route ${route.name}: ${report.stopped}`);
    const code = Math.max(codeOf([status]), report.stopped === null ? exitCodes.well : exitCodes.attention);
    // What was left for another time would only be told as missing.
    const isWhole = limit === null && report.stopped === null && !signal.aborted;
    return options.verify && isWhole ? Math.max(code, await verifyAfter(context, options, { bridge, route })) : code;
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.note('bugferry: stopped. What is on its way is found again: run the same command to go on.');
    return exitCodes.attention;
  }
}
