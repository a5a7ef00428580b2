import type { Command } from 'commander';
import { rosterIn } from '../../wire/roster.ts';
import { openView } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { rehearsedSettings } from '../migrate/rehearsal.ts';
import { csvOf, printRoster } from './people-page.ts';

interface PeopleOptions extends CommonOptions {
  readonly rehearse?: string;
  readonly route?: string;
  readonly csv?: true;
}

export function addPeople(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'people',
    description:
      'Lists reporters, assignees and commenters from the state file, and proposes GitHub logins. Asks neither side.',
    examples: [
      ['', 'everyone, the most active first'],
      ['--csv', 'a file to fill in, for peopleFile'],
      ['--csv --rehearse acme/trial', 'people of a rehearsal, before anything is mirrored'],
      ['--json', 'the same as one JSON document'],
    ],
  });
  withConfig(command)
    .option('--csv', 'print CSV for peopleFile')
    .option('--rehearse <repository>', 'read the state of the rehearsal in this repository (owner/name)')
    .option('--route <name>', 'the rehearsed route, if there are several')
    .action((options: PeopleOptions) => context.finish(people(context, options)));
}

function people(context: CommandContext, options: PeopleOptions): number {
  const { terminal, signal } = context;
  const reader = openView(rehearsedSettings(context, options), { signal, warn: terminal.note });
  try {
    const roster = rosterIn(reader);
    if (options.json) terminal.json(roster);
    else if (options.csv) for (const line of csvOf(roster)) terminal.out(line);
    else printRoster(terminal, roster, options.rehearse ?? null);
    const isEmpty = roster.tracker.length + roster.github.length === 0;
    return isEmpty && options.rehearse !== undefined ? exitCodes.attention : exitCodes.well;
  } finally {
    reader.close();
  }
}
