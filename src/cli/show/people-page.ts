import { type Known, type Roster, roles } from '../../model/reports/roster.ts';
import { type Terminal, visible } from '../terminal.ts';

/**
 * Prints everyone, and what you can do about unmapped logins.
 * @param rehearsal the repository of the rehearsal; null for the mirror
 */
export function printRoster({ out, paint }: Terminal, { tracker, github }: Roster, rehearsal: string | null): void {
  const unmapped = github.filter(({ mapped }) => mapped === null);
  if (tracker.length + github.length === 0) {
    out(
      rehearsal === null
        ? 'No people are known yet. Run bugferry once first; before a migration, rehearse it: bugferry migrate --rehearse owner/name.'
        : `No people are known yet. Run bugferry migrate --rehearse ${rehearsal} first.`,
    );
    return;
  }
  const row = (known: Known, mark: string) =>
    `  ${visible(known.login).padEnd(width)}  ${roles.map((role) => String(known.times[role]).padStart(role.length)).join('  ')}  ${mark}`;
  const width = Math.max(
    ...[...tracker, ...unmapped].map(({ login }) => visible(login).length),
    'On the tracker'.length - 2,
  );
  out(paint('bold', `${'On the tracker'.padEnd(width + 2)}  ${roles.join('  ')}  GitHub login`));
  for (const known of tracker) out(row(known, markOf(known)));
  if (unmapped.length > 0) out(paint('bold', 'On GitHub, not mapped'));
  for (const known of unmapped) out(row(known, ''));
  const [mapped, proposed] = [
    tracker.filter((each) => each.mapped !== null),
    tracker.filter((each) => each.proposal !== null),
  ];
  out(`${mapped.length} of ${tracker.length} tracker logins are mapped; ${proposed.length} have a proposal.`);
  out(
    paint(
      'dim',
      'bugferry people --csv > people.csv writes a file to fill in: move correct proposals to the column github, and set peopleFile to the file.',
    ),
  );
}

function markOf({ mapped, proposal, isNobody }: Known): string {
  if (isNobody) return '(means unassigned)';
  if (mapped !== null) return visible(mapped);
  return proposal === null ? '-' : `- perhaps ${visible(proposal.login)} (${proposal.why})`;
}

/** The CSV for peopleFile: `github` is empty for unmapped logins, with any proposal in the next column. */
export function csvOf({ tracker }: Roster): readonly string[] {
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

/** Quotes where needed. A spreadsheet would take a name that begins like a formula for one. */
function cell(value: string | number): string {
  const text = visible(String(value)).replace(/^[=+@-]/u, "'$&");
  return /[",]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
