import type { Config, Settings } from '../../config/config.ts';
import { rehearsed } from '../../config/load.ts';
import type { Bridge, BridgeRoute } from '../../wire/bridge.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import { type CommandContext, readConfig, readSettings } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { judgedReport } from '../verify/judged.ts';
import { verifyMeter } from '../verify/meter.ts';
import { documentOf, saveReport } from '../verify/save-report.ts';
import { printReport } from '../verify/summary.ts';
import { codeOfReports } from '../verify/verify.ts';
import type { MigrateOptions } from './options.ts';

type Rehearsing = Pick<MigrateOptions, 'config' | 'rehearse' | 'route'>;

/** Reads the configuration. With --rehearse, adapts it to the rehearsal and tells the user. Throws `UsageError`. */
export const readRehearsed = (context: CommandContext, options: Rehearsing): Config =>
  adapted(context, options, readConfig(context, options));

/** Like `readRehearsed`, without the secrets. */
export const rehearsedSettings = (context: CommandContext, options: Rehearsing): Settings =>
  adapted(context, options, readSettings(context, options));

type Read = Pick<Settings, 'routes' | 'state'>;

function adapted<T extends Read>(context: CommandContext, { rehearse, route }: Rehearsing, config: T): T {
  if (rehearse === undefined) return config;
  const changed = rehearsalOf(config, rehearse, route);
  context.terminal.note(
    `bugferry: rehearsal in ${rehearse} with state file ${changed.state}; the tracker is only read. Delete both when you are done.`,
  );
  return changed;
}

function rehearsalOf<T extends Read>(config: T, rehearse: string, route: string | undefined): T {
  if (!/^[\w.-]+\/[\w.-]+$/u.test(rehearse))
    throw new UsageError(`--rehearse takes a repository as owner/name, not ${rehearse}.`);
  const routes = chosenRoutes(config.routes, route);
  const [only] = routes;
  if (only === undefined || routes.length > 1)
    throw new UsageError('A rehearsal takes one route: choose it with --route.');
  if (config.routes.some(({ github }) => github.repo.toLowerCase() === rehearse.toLowerCase()))
    throw new UsageError(
      `${rehearse} is the repository of a route. Rehearse in another one that you can delete afterwards.`,
    );
  return rehearsed(config, only, rehearse);
}

/** Compares the migrated issues with the tracker, as `bugferry verify` does. Returns the exit code. */
export async function verifyAfter(
  { terminal, signal }: CommandContext,
  { json, html }: Pick<MigrateOptions, 'json' | 'html'>,
  { bridge, route }: { readonly bridge: Bridge; readonly route: BridgeRoute },
): Promise<number> {
  const meter = verifyMeter(terminal, bridge.clock.now);
  const report = await judgedReport(bridge, route, { sample: null, signal, tell: json ? () => {} : meter.tell });
  meter.end();
  if (json) await terminal.longJson({ kind: 'verified', ...documentOf([report]) });
  else printReport(terminal, report, html ?? null);
  if (html !== undefined) saveReport([report], { html });
  return codeOfReports([report]);
}
