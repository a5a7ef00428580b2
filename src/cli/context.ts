import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { scrubberFor } from '../wire/bridge.ts';
import type { Questions, Terminal } from './terminal.ts';

/** What all commands work with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Null where nobody can be asked. */
  readonly questions: Questions | null;
  /** Sets the exit code. */
  finish(code: number): void;
}

export interface CommonOptions {
  readonly config: string;
  readonly json?: true;
  readonly verbose?: true;
}

export interface Announcement {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Arguments after the command's name, each with what it does. */
  readonly examples: readonly (readonly [args: string, effect: string])[];
}

/** A command with the options that all have, and its examples under the help. */
export function announce(program: Command, { name, summary, description, examples }: Announcement): Command {
  const width = Math.max(...examples.map(([args]) => args.length));
  const lines = examples.map(([args, effect]) => `  $ bugferry ${name} ${args.padEnd(width)}   ${effect}`);
  return program
    .command(name)
    .summary(summary)
    .description(description)
    .option('--verbose', 'say more, and where an unexpected error came from')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export const withConfig = (command: Command): Command =>
  command.option('--config <file>', 'the configuration file', 'config/bridge.yaml').option('--json', 'print JSON instead of words');

/** Reads the configuration; from here on nothing that is shown holds its secrets. */
export function readConfig(context: CommandContext, { config: file }: CommonOptions): Config {
  const config = loadConfig(file);
  context.terminal.hide(scrubberFor(config));
  return config;
}
