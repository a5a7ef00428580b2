import type { Command } from 'commander';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';

interface HealthOptions extends CommonOptions {
  readonly ready?: true;
}

/** Whoever asks will not wait longer. */
const timeoutMs = 5_000;

export function addHealth(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'health',
    summary: 'ask the running bridge whether it is well',
    description:
      'Asks the daemon that runs with this configuration over its own door (http in the configuration). For health checks of containers and services: exit code 0 when it is well, 4 when it is not, or cannot be reached.',
    examples: [
      ['', 'whether the process lives'],
      ['--ready', 'whether every route does its work and was read not long ago'],
      ['--ready --json', 'the answer as it came'],
    ],
  });
  withConfig(command)
    .option('--ready', 'also ask whether every route does its work')
    .action(async (options: HealthOptions) => context.finish(await health(context, options)));
}

async function health(context: CommandContext, options: HealthOptions): Promise<number> {
  const { terminal, signal } = context;
  const { http } = readConfig(context, options);
  if (http === null)
    throw new UsageError(
      'The configuration opens no door, so nobody can be asked. Add a line "http: {}" to it and start the bridge again.',
    );
  const url = `http://${reachable(http.host)}:${http.port}/${options.ready ? 'readyz' : 'healthz'}`;
  const headers = http.token === null ? {} : { authorization: `Bearer ${http.token}` };
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
    const answer = await response.text();
    if (options.json) terminal.out(answer);
    else for (const line of wordsOf(answer, response.ok)) terminal.out(line);
    return response.ok ? exitCodes.well : exitCodes.unreachable;
  } catch {
    terminal.note(`bugferry: nobody answers at ${url}; the bridge does not run, or with another configuration.`);
    return exitCodes.unreachable;
  }
}

/** Where a door that listens everywhere is reached from this machine. */
const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;

function wordsOf(answer: string, isWell: boolean): readonly string[] {
  const body: unknown = JSON.parse(answer);
  if (typeof body !== 'object' || body === null) return [];
  if ('alive' in body) return ['the process lives; --ready tells whether its routes do their work'];
  const routes = 'routes' in body && Array.isArray(body.routes) ? body.routes : [];
  const lines = routes.map(
    ({ route, isReady, why }) => `  ${route}: ${[...(isReady ? ['ready'] : []), ...(why === null ? [] : [why])].join('; ')}`,
  );
  return [isWell ? 'well' : 'not ready', ...lines];
}
