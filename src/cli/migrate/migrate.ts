import { type Command, Option } from 'commander';
import { counted } from '../../explain/words.ts';
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
    description:
      "Creates an issue for every bug that has none, with its comments, dates and state, through GitHub's issue import. Existing issues are found and not created again. Afterwards, bugferry run keeps both sides in step, or bugferry cutover retires the tracker.",
    examples: [
      ['--dry-run', 'what would be done, how long it takes, and a preview page of the issues'],
      ['--rehearse acme/trial --limit 20', 'a rehearsal with the first twenty bugs in another repository'],
      ['', 'all bugs of all routes'],
      ['--numbers keep', 'into an empty repository, so that issue 12 is bug 12'],
      ['--writer api', "without the import: through the REST API, within GitHub's content limits"],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .option('--rehearse <repository>', 'migrate into another repository (owner/name), with a separate state file')
    .option('--dry-run', 'write to neither side; print what would be done')
    .option('--preview <file>', 'the preview page that --dry-run writes', 'bugferry-preview.html')
    .option('--samples <count>', 'the number of bugs in the preview', countIn, 20)
    .option('--limit <count>', 'create at most this many issues this time', countIn)
    .option('--html <file>', 'write the comparison report as an HTML page')
    .option('--no-verify', 'skip the comparison of both sides afterwards')
    .addOption(
      new Option(
        '--writer <kind>',
        'how to create issues; import by default if the account administers the repository',
      ).choices(['import', 'api']),
    )
    .addOption(new Option('--numbers <kind>', 'how issues are numbered').choices(['free', 'keep']).default('free'))
    .action(async (options: MigrateOptions) =>
      context.finish(await (options.dryRun ? dryRun : migrate)(context, options)),
    );
}

async function migrate(context: CommandContext, options: MigrateOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readRehearsed(context, options);
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(config, { mode: 'write', signal, warn, tell: () => {} });
  const meter = meterOf(terminal, {
    isJson: options.json === true,
    pace: paceOf(config, bridge),
    now: bridge.clock.now,
  });
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

async function migrateOne(
  context: CommandContext,
  options: MigrateOptions,
  { bridge, route, meter }: Work,
): Promise<number> {
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
      terminal.out(
        `${route.name}: ${counted(report.imported, 'issue')} created${report.parked > 0 ? `, ${counted(report.parked, 'bug')} parked` : ''}.`,
      );
      printTrouble(terminal, status);
      terminal.out(summaryLine(status, terminal));
    }
    if (report.stopped !== null) terminal.note(`bugferry: route ${route.name}: ${report.stopped}`);
    const isBraked = report.stopped !== null && status.refusals.length > 0;
    const ofReport = isBraked ? exitCodes.braked : report.stopped === null ? exitCodes.well : exitCodes.attention;
    const code = Math.max(codeOf([status]), ofReport);
    // After an incomplete migration, a comparison would only list the missing issues.
    const isWhole = limit === null && report.stopped === null && !signal.aborted;
    return options.verify && isWhole ? Math.max(code, await verifyAfter(context, options, { bridge, route })) : code;
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.note('bugferry: stopped. Imports in flight will be found again: run the same command to resume.');
    return exitCodes.attention;
  }
}
