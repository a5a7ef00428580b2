import type { Command } from 'commander';
import { type Known, type Roster, roles, rosterOf, type Sighting, sightingsIn } from '../core/roster.ts';
import type { LinkId } from '../model/ids.ts';
import { type Bridge, openBridge } from '../wire.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { type Terminal, visible } from './terminal.ts';

interface PeopleOptions extends CommonOptions {
  readonly csv?: true;
}

export function addPeople(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'people',
    summary: 'who takes part, and who of them is mapped to a GitHub login',
    description: 'Lists from the state file who reports, is assigned and comments, and proposes GitHub logins. Asks neither side.',
    examples: [
      ['', 'everybody, the most active first'],
      ['--csv', 'the same as a file to fill in, for peopleFile'],
      ['--json', 'the same as one JSON document'],
    ],
  });
  withConfig(command)
    .option('--csv', 'print CSV, as peopleFile takes it')
    .action((options: PeopleOptions) => desk.finish(people(desk, options)));
}

function people(desk: Desk, options: PeopleOptions): number {
  const { terminal, signal } = desk;
  const bridge = openBridge(readConfig(desk, options), { mode: 'read', signal, warn: terminal.note, tell: () => {} });
  try {
    const [first] = bridge.routes;
    const map = first?.route.people ?? { github: new Map(), tracker: new Map(), nobody: [] };
    const roster = rosterOf(map, sightings(bridge));
    if (options.json) terminal.json(roster);
    else if (options.csv) for (const line of csvOf(roster)) terminal.out(line);
    else print(terminal, roster);
    return exitCodes.well;
  } finally {
    bridge.close();
  }
}

const linksAtOnce = 500;

/** Link by link, so that a large state file does not have to fit into memory. */
function* sightings({ store, routes }: Bridge): Iterable<Sighting> {
  for (const { route } of routes) {
    let after: LinkId | null = null;
    do {
      const links = store.links.after(route.name, after, linksAtOnce);
      for (const link of links) yield* sightingsIn(link, store.entries.ofLink(link.id));
      after = links.at(-1)?.id ?? null;
    } while (after !== null);
  }
}

function print({ out, paint }: Terminal, { tracker, github }: Roster): void {
  const strangers = github.filter(({ mapped }) => mapped === null);
  if (tracker.length + github.length === 0) {
    out('Nobody has been seen yet. Run bugferry once first.');
    return;
  }
  const row = (known: Known, mark: string) =>
    `  ${visible(known.login).padEnd(width)}  ${roles.map((role) => String(known.times[role]).padStart(role.length)).join('  ')}  ${mark}`;
  const width = Math.max(...[...tracker, ...strangers].map(({ login }) => visible(login).length), 'On the tracker'.length - 2);
  out(paint('bold', `${'On the tracker'.padEnd(width + 2)}  ${roles.join('  ')}  GitHub login`));
  for (const known of tracker) out(row(known, markOf(known)));
  if (strangers.length > 0) out(paint('bold', 'On GitHub, and not mapped'));
  for (const known of strangers) out(row(known, ''));
  const [mapped, proposed] = [tracker.filter((each) => each.mapped !== null), tracker.filter((each) => each.proposal !== null)];
  out(`${mapped.length} of ${tracker.length} people of the tracker are mapped; there are proposals for ${proposed.length}.`);
  out(
    paint(
      'dim',
      'bugferry people --csv > people.csv makes a file to fill in: move what is right from proposal to github, and name it as peopleFile.',
    ),
  );
}

function markOf({ mapped, proposal, isNobody }: Known): string {
  if (isNobody) return '(stands for nobody)';
  if (mapped !== null) return visible(mapped);
  return proposal === null ? '-' : `- perhaps ${visible(proposal.login)} (${proposal.why})`;
}

function csvOf({ tracker }: Roster): readonly string[] {
  const rows = tracker
    .filter(({ isNobody }) => !isNobody)
    .map(({ login, name, mapped, proposal, times }) => [
      login,
      mapped ?? '',
      proposal?.login ?? '',
      name,
      ...roles.map((role) => times[role]),
    ]);
  return [['tracker', 'github', 'proposal', 'name', ...roles], ...rows].map((row) => row.map(cell).join(','));
}

/** Quoted where it must be. A spreadsheet would take a name that begins like a formula for one. */
function cell(value: string | number): string {
  const text = visible(String(value)).replace(/^[=+@-]/u, "'$&");
  return /[",]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
