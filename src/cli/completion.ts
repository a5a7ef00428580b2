import { Argument, type Command } from 'commander';
import { type Completable, completionScript, type Shell, shells } from './completion-script.ts';
import { announce, type Desk } from './desk.ts';
import { exitCodes } from './exit-code.ts';

export function addCompletion(program: Command, desk: Desk): void {
  announce(program, {
    name: 'completion',
    summary: 'a script that makes a shell complete commands and options',
    description: 'Prints the script; where it belongs stands in its first lines. It asks neither bugferry nor a side while you type.',
    examples: [
      ['bash > /etc/bash_completion.d/bugferry', 'for everybody who uses bash'],
      ['zsh', 'the same for zsh'],
      ['fish', 'the same for fish'],
    ],
  })
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .action((shell: Shell) => {
      for (const line of completionScript(shell, program.commands.map(completable)).split('\n')) desk.terminal.out(line);
      desk.finish(exitCodes.well);
    });
}

function completable(command: Command): Completable {
  const options = command.options.map(({ long, description, required }) => ({
    flag: long ?? '',
    what: description,
    takesFile: required && /file|folder/u.test(description + long),
  }));
  return {
    name: command.name(),
    summary: command.summary(),
    options: [...options, { flag: '--help', what: 'what it does, with examples', takesFile: false }],
    choices: command.registeredArguments[0]?.argChoices ?? (command.registeredArguments[0]?.name() === 'item' ? ['bug', 'issue'] : []),
  };
}
