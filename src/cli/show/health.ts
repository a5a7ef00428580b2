import type { Command } from 'commander';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { askHealth, type HealthOptions } from './ask-health.ts';

export function addHealth(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'health',
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
    .action(async (options: CommonOptions & HealthOptions) => {
      const { http } = readConfig(context, options);
      if (http === null)
        throw new UsageError(
          'The configuration has no HTTP server to ask. Add the line "http: {}" to it, and restart the bridge.',
        );
      const isWell = await askHealth(context.terminal, context.signal, http, options);
      context.finish(isWell ? exitCodes.well : exitCodes.unreachable);
    });
}
