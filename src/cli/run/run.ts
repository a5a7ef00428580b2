import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { ownVersion } from '../../config/version.ts';
import { type BridgeDaemon, daemonOf, endOf, openBridge, openLog } from '../../wire/bridge.ts';
import type { Observer } from '../../wire/http.ts';
import { openNotifier } from '../../wire/notify.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { logEvent, logRuns } from './log-events.ts';
import { troubleLog } from './log-troubles.ts';

interface RunOptions extends CommonOptions {
  readonly force?: true;
}

/** The time limit for stopping. */
const stopLimitMs = 20_000;

export function addRun(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'run',
    description:
      'The daemon: runs a cycle of every route at once, and then on schedule.poll. Logs to stderr. On SIGTERM or Ctrl-C, it finishes work in progress and stops; a second signal stops it at once.',
    examples: [
      ['', 'keep both sides in step'],
      ['--force', 'carry out a plan that the brake refused, in the first cycle'],
      ['--json', 'also print one JSON line for each event on stdout'],
    ],
  });
  withConfig(command)
    .option('--force', 'carry out a plan that the brake would refuse, in the first cycle only')
    .action(async (options: RunOptions) => context.finish(await run(context, options)));
}

/** Loads the server only where there is one: it takes as much memory as the rest of the bridge. */
async function observing(config: Config, log: ReturnType<typeof openLog>): Promise<Observer> {
  const { openObserver } = await import('../../wire/http.ts');
  return openObserver(config, {
    version: ownVersion(),
    failed: (error) => log.error({ err: error }, 'cannot show a page'),
    warned: (words) => log.warn(words),
  });
}

const nothing = (): void => undefined;
const unobserved: Observer = { answered: nothing, tell: nothing, ran: nothing, open: async () => null };

async function run(context: CommandContext, options: RunOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  const log = openLog(config, {
    level: options.verbose ? 'debug' : 'info',
    isTerminal: terminal.isLogTerminal,
    write: terminal.log,
  });
  const observer = config.http === null ? unobserved : await observing(config, log);
  const bridge = openBridge(config, {
    mode: 'write',
    signal,
    warn: (message) => log.warn(message),
    answered: observer.answered,
    tell(event) {
      if (options.json) terminal.json(event);
      logEvent(log, event, bridge.store);
      observer.tell(event);
    },
  });
  let running: BridgeDaemon | null = null;
  const server = await observer
    .open(bridge, () => running)
    .catch((error: unknown) => {
      bridge.close();
      throw error;
    });
  log.info(
    {
      routes: bridge.routes.map(({ name }) => name),
      state: config.state,
      ...(server === null ? {} : { page: server.url }),
    },
    'started',
  );
  const notifier = openNotifier(config, bridge, {
    told: (words) => log.info(words),
    failed: (words) => log.warn(words),
  });
  const logTroubles = troubleLog(
    log,
    bridge.store,
    bridge.routes.map(({ route }) => route),
  );
  running = daemonOf(bridge, {
    times: config.schedule,
    isForced: options.force === true,
    signal,
    ran(runs) {
      logRuns(log, runs);
      logTroubles();
      observer.ran(runs);
      notifier.tellNews();
    },
  });
  const failures = await endOf(signal, stopLimitMs, [
    ['the state file', () => bridge.close()],
    ['the notices', () => notifier.stop()],
    ['the running cycle', () => running?.stop()],
    ['the HTTP server', async () => server?.close()],
  ]);
  for (const { name, error } of failures)
    log.error({ err: error }, `${name} did not stop cleanly; the next start checks what arrived`);
  log.info('stopped');
  return failures.length === 0 ? exitCodes.well : exitCodes.attention;
}
