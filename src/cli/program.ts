import { Command } from 'commander';
import { ownVersion } from '../config/version.ts';
import { scrubberFor } from '../wire/trouble.ts';
import { commands } from './commands.ts';
import type { CommandContext } from './context.ts';
import { endingOf, stackOf } from './exit-code.ts';
import { openQuestions, openTerminal, type Surroundings, type Terminal } from './terminal.ts';

const epilogue = `
Exit codes:
  0  success; queued work is not a failure
  1  finished, but something is parked or conflicting (see bugferry status); for status also: not in step
  2  wrong usage, configuration or state file
  3  the brake refused a plan, or a side came back from a backup
  4  a side is unreachable, or refused the credentials or the setup
 70  a bug in bugferry; please report it
130  a signal ended bugferry once

First steps:
  $ bugferry demo                 watch it work between two servers in memory
  $ bugferry init                 answer a few questions to write a configuration
  $ bugferry check                test a configuration; writes nothing
  $ bugferry plan                 show what would be written; writes nothing
  $ bugferry once                 run one cycle, then exit
  $ bugferry run                  keep both sides in step
  $ bugferry sandbox              run a tracker to develop against`;

/** Runs one command line (without `node` and the file) and returns the exit code. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, signal, crashes } = surroundings;
  let code = 0;
  const terminal = openTerminal(surroundings, Object.keys(commands));
  terminal.hide(scrubberFor(null));
  crashes?.((error) => reportCrash(terminal, error));
  const context: CommandContext = {
    terminal,
    signal,
    // Opening the keyboard is slow in Node, and few commands ask questions.
    get questions() {
      const { stdin } = surroundings;
      return stdin?.isTTY === true ? openQuestions(stdin, stdout) : null;
    },
    finish(next) {
      code = next;
    },
  };
  const program = new Command('bugferry')
    .description('Keeps a Bugzilla-style bug tracker and GitHub issues in step, in both directions.')
    .addHelpText('after', epilogue)
    .version(ownVersion(), '--version', 'print the version')
    .showHelpAfterError('Run bugferry --help for the commands.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(unbroken(text)),
      writeErr: (text) => terminal.note(unbroken(text)),
      outputError: (text, write) => write(text.replace(nearestName, guessOf)),
    });
  for (const [name, { summary, load }] of Object.entries(commands)) {
    // A completion script lists the options of every command.
    if (argv.includes(name) || argv.includes('completion')) (await load())(program, context);
    else program.command(name);
    program.commands.at(-1)?.summary(summary);
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    const ending = endingOf(error);
    terminal.progress(null);
    if (ending.message !== null) terminal.note(`bugferry: ${ending.message}`);
    if (argv.includes('--verbose') && ending.message !== null) terminal.note(stackOf(error));
    return ending.code;
  }
  return code;
}

/** The nearest names to those of its verbs are the wrong commands: `resume` for `restore`. */
const nearestName = /(unknown command '(restore|backup)')\n(?:\(Did you mean .*\)\n)?/u;
const guessOf = (_all: string, words: string, verb: string): string => `${words}\n(Did you mean state ${verb}?)\n`;

/** The terminal adds the line break. */
const unbroken = (text: string): string => text.replace(/\n$/u, '');

/** Reports an uncaught error like all other output: without secrets. */
function reportCrash(terminal: Terminal, error: unknown): number {
  const { code, message } = endingOf(error);
  terminal.progress(null);
  terminal.note(`bugferry: ${message ?? 'ended'}`);
  terminal.note(stackOf(error));
  return code;
}
