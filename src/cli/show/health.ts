import type { Command } from 'commander';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';

interface HealthOptions extends CommonOptions {
  readonly ready?: true;
}

/** Health checks do not wait longer. */
const timeoutMs = 5_000;

export function addHealth(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'health',
    summary: 'check the health of the running bridge',
    description:
      'Asks the daemon that runs with this configuration, over its HTTP server (http in the configuration). For health checks of containers and services: exit code 0 if it is healthy, 4 if it is not or does not answer.',
    examples: [
      ['', 'is the process alive?'],
      ['--ready', 'does every route work, and was it read recently?'],
      ['--ready --json', 'the unchanged answer'],
    ],
  });
  withConfig(command)
    .option('--ready', 'also check that every route works')
    .action(async (options: HealthOptions) => context.finish(await health(context, options)));
}

async function health(context: CommandContext, options: HealthOptions): Promise<number> {
  const { terminal, signal } = context;
  const { http } = readConfig(context, options);
  if (http === null)
    throw new UsageError('The configuration has no HTTP server to ask. Add the line "http: {}" to it, and restart the bridge.');
  const url = `http://${reachable(http.host)}:${http.port}/${options.ready ? 'readyz' : 'healthz'}`;
  const headers = http.token === null ? {} : { authorization: `Bearer ${http.token}` };
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
    const answer = await response.text();
    if (options.json) terminal.out(answer);
    else for (const line of wordsOf(answer, response.ok)) terminal.out(line);
    return response.ok ? exitCodes.well : exitCodes.unreachable;
  } catch {
    terminal.note(`bugferry: no answer from ${url}; the bridge is not running, or runs with another configuration.`);
    return exitCodes.unreachable;
  }
}

/** The address by which this machine reaches a server that listens everywhere. */
const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;

function wordsOf(answer: string, isWell: boolean): readonly string[] {
  const body: unknown = JSON.parse(answer);
  if (typeof body !== 'object' || body === null) return [];
  if ('alive' in body) return ['the process is alive; --ready checks its routes'];
  const routes = 'routes' in body && Array.isArray(body.routes) ? body.routes : [];
  const lines = routes.map(
    ({ route, isReady, why }) => `  ${route}: ${[...(isReady ? ['ready'] : []), ...(why === null ? [] : [why])].join('; ')}`,
  );
  return [isWell ? 'healthy' : 'not ready', ...lines];
}
