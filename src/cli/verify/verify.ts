import { type Command, InvalidArgumentError } from 'commander';
import { totalsOf, unjudgedIn, type VerifyReport } from '../../model/reports/verification.ts';
import { openBridge } from '../../wire/bridge.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { announce, type CommandContext, readConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { type JudgedReport, judgedReport } from './judged.ts';
import { verifyMeter } from './meter.ts';
import { documentOf, saveReport } from './save-report.ts';
import { printReport } from './summary.ts';

interface VerifyCommand {
  readonly config: string;
  readonly verbose?: true;
  readonly route?: string;
  readonly sample?: number;
  /** True prints it. */
  readonly json?: string | true;
  readonly html?: string;
}

export function addVerify(program: Command, context: CommandContext): void {
  announce(program, {
    name: 'verify',
    description:
      'Reads every bug and every issue again, and compares what readers see: values, texts with author and date, files byte for byte, link targets, duplicates, and what is private. From the state file, it uses only the pairs. It can run beside bugferry run. Exit code 0: no differences; 1: differences, or writes that wait; 2: something could not be judged.',
    examples: [
      ['', 'everything, with a summary'],
      ['--html report.html', 'also write a page that lists differences, equal items and what was left out'],
      ['--sample 50', 'fifty random pairs, in a few minutes'],
      ['--route widget --json report.json', 'one route, and the whole report as JSON'],
    ],
  })
    .option('--config <file>', 'the configuration file', 'config/bridge.yaml')
    .option('--route <name>', 'only this route')
    .option('--sample <count>', 'compare this many random pairs', countIn)
    .option('--json [file]', 'write the whole report as JSON to a file, or print it instead of text')
    .option('--html <file>', 'write the report as an HTML page')
    .action(async (options: VerifyCommand) => context.finish(await runVerify(context, options)));
}

async function runVerify(context: CommandContext, options: VerifyCommand): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(readConfig(context, { config: options.config }), {
    mode: 'read',
    signal,
    warn,
    tell: () => {},
  });
  const meter = verifyMeter(terminal, bridge.clock.now);
  try {
    const reports: JudgedReport[] = [];
    for (const route of chosenRoutes(bridge.routes, options.route)) {
      const report = await judgedReport(bridge, route, {
        sample: options.sample ?? null,
        signal,
        tell: options.json === true ? () => {} : meter.tell,
      });
      meter.end();
      reports.push(report);
      if (options.json !== true) printReport(terminal, report, options.html ?? null);
    }
    if (options.json === true) await terminal.longJson(documentOf(reports));
    saveReport(reports, options);
    return codeOfReports(reports);
  } catch (error) {
    if (!signal.aborted) throw error;
    warn('stopped before everything was read, so there is no result');
    return exitCodes.usage;
  } finally {
    meter.end();
    bridge.close();
  }
}

/** The exit code of a comparison. */
export function codeOfReports(reports: readonly VerifyReport[]): number {
  if (reports.map(totalsOf).some(({ equal, pairs }) => equal < pairs)) return exitCodes.attention;
  const isComplete = reports.every(
    ({ notJudged, sample, pairs }) => (notJudged.length === 0 || sample !== null) && unjudgedIn(pairs).length === 0,
  );
  return isComplete ? exitCodes.well : exitCodes.usage;
}

function countIn(text: string): number {
  if (!/^[1-9]\d{0,6}$/u.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or greater.');
  return Number(text);
}
