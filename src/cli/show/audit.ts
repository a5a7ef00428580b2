import { type Command, Option } from 'commander';
import type { AnonymousReader } from '../../model/anonymous-reader.ts';
import { isExposed } from '../../model/reports/audit.ts';
import type { Route } from '../../model/route.ts';
import { audit, type Bridge, openBridge } from '../../wire/bridge.ts';
import { openView, type View } from '../../wire/view.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, readSettings, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { auditPrinter } from './audit-summary.ts';

interface AuditCommand extends CommonOptions {
  readonly route?: string;
  readonly against?: 'anonymous';
}

export function addAudit(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'audit',
    description:
      'Lists all tracker content on GitHub, pair by pair, and why each item is allowed there; also lists withdrawn content, and what could not be removed. Reads only the state file, and can run beside bugferry run. With --against anonymous, it reads all published content again from the tracker without the key. Exit code 0: everything may be published; 1: something is not public, or is not visible without an account.',
    examples: [
      ['', 'all routes, from the state file alone'],
      ['--against anonymous', 'also check that a reader without an account can see all of it now'],
      ['--route widget --json', 'one route; one line of JSON for each pair, and one with the totals'],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .addOption(
      new Option('--against <reader>', 'read all published content again as this reader').choices(['anonymous']),
    )
    .action(async (options: AuditCommand) => context.finish(await runAudit(context, options)));
}

async function runAudit(context: CommandContext, options: AuditCommand): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const isCheckingVisibility = options.against === 'anonymous';
  const opened = isCheckingVisibility
    ? openBridge(readConfig(context, options), { mode: 'read', signal, warn, tell: () => {} })
    : openView(readSettings(context, options), { signal, warn });
  let isWell = true;
  try {
    for (const { route, against, files } of chosen(opened, options.route)) {
      const printer = auditPrinter(terminal, route, {
        isJson: options.json === true,
        isCheckingVisibility,
        sweptAt: opened.store.cursors.get(route.name, 'tracker')?.sweptAt ?? null,
      });
      for await (const pair of audit({ route, store: opened.store, against, files })) {
        printer.show(pair);
        isWell &&= !isExposed(pair);
      }
      printer.end();
    }
    return isWell ? exitCodes.well : exitCodes.attention;
  } finally {
    opened.close();
  }
}

interface Audited {
  readonly route: Route;
  readonly against: AnonymousReader | null;
  readonly files: Bridge['routes'][number]['files'];
}

function chosen({ routes }: Bridge | View, name: string | undefined): readonly Audited[] {
  return chosenRoutes<Bridge['routes'][number] | View['routes'][number]>(routes, name).map((each) =>
    'anonymous' in each
      ? { route: each.route, against: each.anonymous, files: each.files }
      : { route: each, against: null, files: null },
  );
}
