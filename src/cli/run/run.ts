import type { Command } from 'commander';
import { type BridgeDaemon, daemonOf, endOf, openBridge, openLog } from '../../wire/bridge.ts';
import { openObserver } from '../../wire/http.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { logEvent, logRuns } from './log-events.ts';

interface RunOptions extends CommonOptions {
  readonly force?: true;
}

/** How long a stop may take. */
const stopLimitMs = 20_000;

export function addRun(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'run',
    summary: 'keep both sides in step until stopped',
    description:
      'The daemon: a cycle of every route at once and then by schedule.poll. It logs to stderr. SIGTERM or Ctrl-C let what is under way finish; a second signal ends at once.',
    examples: [
      ['', 'keep both sides in step'],
      ['--force', 'let the first cycle carry out a plan that the brake refused'],
      ['--json', 'also print one JSON line for each event on stdout'],
    ],
  });
  withConfig(command)
    .option('--force', 'let the first cycle carry out a plan that the brake would refuse')
    .action(async (options: RunOptions) => context.finish(await run(context, options)));
}

async function run(context: CommandContext, options: RunOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  const log = openLog(config, { level: options.verbose ? 'debug' : 'info', isTerminal: terminal.isLogTerminal, write: terminal.log });
  const observer = openObserver(config, (error) => log.error({ err: error }, 'a page could not be shown'));
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
  const door = await observer
    .open(bridge, () => running)
    .catch((error: unknown) => {
      bridge.close();
      throw error;
    });
  log.info({ routes: bridge.routes.map(({ name }) => name), state: config.state, ...(door === null ? {} : { door: door.url }) }, 'started');
  running = daemonOf(bridge, {
    times: config.schedule,
    isForced: options.force === true,
    signal,
    ran(runs) {
      logRuns(log, runs);
      observer.ran(runs);
    },
  });
  const failures = await endOf(signal, stopLimitMs, [
    ['the state file', () => bridge.close()],
    ['the cycle under way', () => running?.stop()],
    ['the door', async () => door?.close()],
  ]);
  for (const { name, error } of failures)
    log.error({ err: error }, `${name} did not end in order; the next start looks at what had arrived`);
  log.info('stopped');
  return failures.length === 0 ? exitCodes.well : exitCodes.attention;
}
