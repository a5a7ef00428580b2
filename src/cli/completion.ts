import { Argument, type Command } from 'commander';
import { announce, type CommandContext } from './context.ts';
import { exitCodes } from './exit-code.ts';

export function addCompletion(program: Command, context: CommandContext): void {
  announce(program, {
    name: 'completion',
    description:
      'Prints the script; its first lines say where to put it. Completion calls neither bugferry nor either side.',
    examples: [
      ['bash > /etc/bash_completion.d/bugferry', 'for all users of bash'],
      ['zsh', 'the same for zsh'],
      ['fish', 'the same for fish'],
    ],
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) => {
      for (const line of completionScript(shell, program.commands.map(completable)).split('\n'))
        context.terminal.out(line);
      context.finish(exitCodes.well);
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
    choices:
      command.registeredArguments[0]?.argChoices ??
      (command.registeredArguments[0]?.name() === 'item' ? ['bug', 'issue'] : []),
  };
}

/** What a shell needs to know about a command. */
interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly { readonly flag: string; readonly what: string; readonly takesFile: boolean }[];
  /** The values of its first argument; empty if any value is allowed. */
  readonly choices: readonly string[];
}

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Completes commands, options and files. The script never calls bugferry. */
const completionScript = (shell: Shell, commands: readonly Completable[]): string => scripts[shell](commands);

const scripts: Readonly<Record<Shell, (commands: readonly Completable[]) => string>> = { bash, zsh, fish };

function bash(commands: readonly Completable[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const words = [...choices, ...options.map(({ flag }) => flag)].join(' ');
    return `    ${name}) words="${words}" ;;`;
  });
  const files = [
    ...new Set(commands.flatMap(({ options }) => options.filter(({ takesFile }) => takesFile).map(({ flag }) => flag))),
  ];
  return `# bugferry completion bash > /etc/bash_completion.d/bugferry
_bugferry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" words
  case "$previous" in ${files.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _bugferry bugferry`;
}

function zsh(commands: readonly Completable[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const flags = options.map(
      ({ flag, what, takesFile }) => `'${flag}[${inZsh(what)}]${takesFile ? ':file:_files' : ''}'`,
    );
    const first = choices.length > 0 ? `':what:(${choices.join(' ')})'` : '';
    return `    ${name}) _arguments ${[...flags, first, "'*:argument:_default'"].filter((each) => each !== '').join(' ')} ;;`;
  });
  return `#compdef bugferry
# bugferry completion zsh > "\${fpath[1]}/_bugferry"
_bugferry() {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${inZsh(summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _bugferry bugferry`;
}

const inZsh = (text: string): string => text.replaceAll("'", "'\\''").replace(/[[\]:]/gu, '\\$&');

function fish(commands: readonly Completable[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, summary, options, choices }) => [
    `complete -c bugferry -f -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d ${inFish(summary)}`,
    ...options.map(
      ({ flag, what, takesFile }) =>
        `complete -c bugferry -n "__fish_seen_subcommand_from ${name}" -l ${flag.slice(2)} -d ${inFish(what)}${takesFile ? ' -r -F' : ''}`,
    ),
    ...(choices.length > 0
      ? [`complete -c bugferry -n "__fish_seen_subcommand_from ${name}" -a ${inFish(choices.join(' '))}`]
      : []),
  ]);
  return ['# bugferry completion fish > ~/.config/fish/completions/bugferry.fish', ...lines].join('\n');
}

const inFish = (text: string): string => `'${text.replace(/['\\]/gu, '\\$&')}'`;
