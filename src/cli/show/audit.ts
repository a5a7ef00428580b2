import { type Command, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import { ConfigProblems } from '../../config/problem.ts';
import { routesOf } from '../../config/routes.ts';
import { type AuditedPair, isExposed } from '../../model/reports/audit.ts';
import type { Route } from '../../model/route.ts';
import { hasStore, openWatchedView, publishedOn, strayFilesOn } from '../../wire/audit.ts';
import { type Bridge, openBridge } from '../../wire/bridge.ts';
import type { View } from '../../wire/view.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, readSettings, withConfig } from '../context.ts';
import { endingOf, exitCodes } from '../exit-code.ts';
import { auditPrinter } from './audit-summary.ts';

interface AuditCommand extends CommonOptions {
  readonly route?: string;
  readonly against?: 'anonymous';
}

export function addAudit(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'audit',
    description:
      'Lists all tracker content on GitHub, pair by pair, and why each item is allowed there; also lists withdrawn content, and what could not be removed. Reads the state file, lists attachment stores on GitHub, and can run beside bugferry run. With --against anonymous, it reads all published content again from the tracker without the key. Exit code 0: everything may be published; 1: something is not public, or is not visible without an account.',
    examples: [
      ['', 'all routes'],
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
  const { terminal } = context;
  const isCheckingVisibility = options.against === 'anonymous';
  const { store, watch, bridge, routes, close } = open(context, options);
  let code: number = exitCodes.well;
  try {
    for (const route of chosenRoutes(routes, options.route)) {
      const printer = auditPrinter(terminal, route, {
        isJson: options.json === true,
        isCheckingVisibility,
        sweptAt: store.cursors.get(route.name, 'tracker')?.sweptAt ?? null,
      });
      const show = (pair: AuditedPair): void => {
        printer.show(pair);
        if (isExposed(pair) || pair.unjudged !== undefined) code = Math.max(code, exitCodes.attention);
      };
      const asked = { store, watch, bridge, isCheckingVisibility };
      for await (const pair of publishedOn(route, asked)) show(pair);
      const strays = await strayFilesOn(route, asked).catch((error: unknown) => {
        const { code: failed, message } = endingOf(error);
        if (isCheckingVisibility || failed !== exitCodes.unreachable) throw error;
        code = failed;
        return message ?? '';
      });
      if (typeof strays !== 'string') strays.forEach(show);
      printer.end(typeof strays === 'string' ? strays : null);
    }
    return code;
  } finally {
    close();
  }
}

interface Opened {
  readonly store: View['store'];
  readonly watch: Bridge['watch'];
  readonly routes: readonly Route[];
  /** Null if a secret is missing. */
  readonly bridge: Bridge | null;
  close(): void;
}

/** The state alone needs no secrets; they are read to list attachment stores, or to ask the tracker. */
function open(context: CommandContext, options: AuditCommand): Opened {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const settings = readSettings(context, options);
  const config = options.against !== undefined || routesOf(settings).some(hasStore) ? configOf(context, options) : null;
  if (config === null) return { ...openWatchedView(settings, { signal, warn }), bridge: null };
  const bridge = openBridge(config, { mode: 'read', signal, warn, tell: () => {} });
  const routes = options.against === undefined ? bridge.configured : bridge.routes.map(({ route }) => route);
  return { store: bridge.store, watch: bridge.watch, routes, bridge, close: bridge.close };
}

function configOf(context: CommandContext, options: AuditCommand): Config | null {
  try {
    return readConfig(context, options);
  } catch (error) {
    if (options.against === undefined && error instanceof ConfigProblems) return null;
    throw error;
  }
}
