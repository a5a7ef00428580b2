import type { Command } from 'commander';
import type { Config, Settings } from '../config/config.ts';
import { loadConfig, loadSettings } from '../config/load.ts';
import { scrubberFor, scrubberOf } from '../wire/trouble.ts';
import type { Questions, Terminal } from './terminal.ts';

/** Passed to every command. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Null without a terminal to ask at. */
  readonly questions: Questions | null;
  /** Sets the exit code. */
  finish(code: number): void;
}

export interface CommonOptions {
  readonly config: string;
  readonly json?: true;
  readonly verbose?: true;
}

interface Announcement {
  readonly name: string;
  readonly description: string;
  /** Arguments after the command's name, each with what it does. */
  readonly examples: readonly (readonly [args: string, effect: string])[];
}

/** A command with the common options and its examples below the help. */
export function announce(program: Command, { name, description, examples }: Announcement): Command {
  const width = Math.max(...examples.map(([args]) => args.length));
  const lines = examples.map(([args, effect]) => `  $ bugferry ${name} ${args.padEnd(width)}   ${effect}`);
  return program
    .command(name)
    .description(description)
    .showHelpAfterError(`Run bugferry ${name} --help for options and examples.`)
    .option('--verbose', 'log more, and print the stack of an unexpected error')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export const withConfig = (command: Command): Command =>
  command
    .option('--config <file>', 'the configuration file', 'config/bridge.yaml')
    .option('--json', 'print JSON instead of text');

/** Reads the configuration; from here on, the terminal removes its secrets from all output. */
export function readConfig(context: CommandContext, { config: file }: CommonOptions): Config {
  const config = loadConfig(file);
  context.terminal.hide(scrubberFor(config));
  return config;
}

/** Reads the configuration for a command that contacts neither side; the secrets may be missing. */
export function readSettings(context: CommandContext, { config: file }: Pick<CommonOptions, 'config'>): Settings {
  const settings = loadSettings(file);
  context.terminal.hide(scrubberOf(settings));
  return settings;
}
