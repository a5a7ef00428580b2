import type { Command } from 'commander';
import type { LinkId } from '../../model/ids.ts';
import { type Appearance, appearancesIn, rosterOf } from '../../people/roster.ts';
import { isRedacted } from '../../privacy/redact.ts';
import { type Bridge, openBridge } from '../../wire/bridge.ts';
import { announce, type CommandContext, type CommonOptions, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { readRehearsed } from '../migrate/rehearsal.ts';
import { csvOf, printRoster } from './people-page.ts';

interface PeopleOptions extends CommonOptions {
  readonly rehearse?: string;
  readonly route?: string;
  readonly csv?: true;
}

export function addPeople(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'people',
    summary: 'who takes part, and who of them is mapped to a GitHub login',
    description: 'Lists from the state file who reports, is assigned and comments, and proposes GitHub logins. Asks neither side.',
    examples: [
      ['', 'everybody, the most active first'],
      ['--csv', 'the same as a file to fill in, for peopleFile'],
      ['--csv --rehearse acme/trial', 'of a rehearsal, before anything was mirrored'],
      ['--json', 'the same as one JSON document'],
    ],
  });
  withConfig(command)
    .option('--csv', 'print CSV, as peopleFile takes it')
    .option('--rehearse <repository>', 'of the rehearsal of bugferry migrate in this repository (owner/name)')
    .option('--route <name>', 'which route was rehearsed, where there are several')
    .action((options: PeopleOptions) => context.finish(people(context, options)));
}

function people(context: CommandContext, options: PeopleOptions): number {
  const { terminal, signal } = context;
  const bridge = openBridge(readRehearsed(context, options), { mode: 'read', signal, warn: terminal.note, tell: () => {} });
  try {
    const [first] = bridge.routes;
    const map = first?.route.people ?? { github: new Map(), tracker: new Map(), nobody: [] };
    const roster = rosterOf(map, sightings(bridge));
    if (options.json) terminal.json(roster);
    else if (options.csv) for (const line of csvOf(roster)) terminal.out(line);
    else printRoster(terminal, roster);
    return exitCodes.well;
  } finally {
    bridge.close();
  }
}

const linksAtOnce = 500;

/** Link by link, so that a large state file does not have to fit into memory. */
function* sightings({ store, routes }: Bridge): Iterable<Appearance> {
  for (const { route } of routes) {
    let after: LinkId | null = null;
    do {
      const links = store.links.after(route.name, after, linksAtOnce);
      for (const link of links) if (!isRedacted(route, link)) yield* appearancesIn(link, store.commentLinks.ofLink(link.id));
      after = links.at(-1)?.id ?? null;
    } while (after !== null);
  }
}
