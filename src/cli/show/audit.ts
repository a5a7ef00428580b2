import { type Command, Option } from 'commander';
import { isExposed } from '../../privacy/audit.ts';
import { audit, type Bridge, openBridge } from '../../wire/bridge.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { auditPrinter } from './audit-summary.ts';

interface AuditCommand extends CommonOptions {
  readonly route?: string;
  readonly against?: 'anonymous';
}

export function addAudit(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'audit',
    summary: 'what of the tracker stands on GitHub and why it may, and what was withdrawn',
    description:
      'Lists from the state file, pair by pair, everything of the tracker that stands on GitHub with the reason why it is allowed there, and everything that was withdrawn with what is left of it. Asks neither side, and may run beside bugferry run. With --against anonymous everything that stands there is read again from the tracker without the key. Exit code 0: all of it may stand there; 1: something is not public, or is not shown to strangers.',
    examples: [
      ['', 'all routes, from the state alone'],
      ['--against anonymous', 'and whether a reader without an account is shown all of it now'],
      ['--route widget --json', 'one route; a line of JSON for each pair, and one with the sums'],
    ],
  });
  withConfig(command)
    .option('--route <name>', 'only this route')
    .addOption(new Option('--against <reader>', 'read all of it again as this reader').choices(['anonymous']))
    .action(async (options: AuditCommand) => context.finish(await runAudit(context, options)));
}

async function runAudit(context: CommandContext, options: AuditCommand): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(readConfig(context, options), { mode: 'read', signal, warn, tell: () => {} });
  const isCheckingVisibility = options.against === 'anonymous';
  let isWell = true;
  try {
    for (const route of chosen(bridge, options.route)) {
      const printer = auditPrinter(terminal, route.route, {
        isJson: options.json === true,
        isCheckingVisibility,
        sweptAt: bridge.store.cursors.get(route.name, 'tracker')?.sweptAt ?? null,
      });
      for await (const pair of audit({ route: route.route, store: bridge.store, against: isCheckingVisibility ? route.anonymous : null })) {
        printer.show(pair);
        isWell &&= !isExposed(pair);
      }
      printer.end();
    }
    return isWell ? exitCodes.well : exitCodes.attention;
  } finally {
    bridge.close();
  }
}

function chosen({ routes }: Bridge, name: string | undefined): Bridge['routes'] {
  const found = routes.filter((route) => name === undefined || route.name === name);
  if (found.length > 0) return found;
  throw new UsageError(`there is no route "${name}"; the configuration has ${routes.map((route) => route.name).join(', ')}`);
}
