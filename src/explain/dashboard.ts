import type { LinkId } from '../model/ids.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { isBeside } from './failure.ts';
import { decideCommand, explainCommand, headlineOf, isOpen } from './verdict.ts';
import { capital } from './words.ts';

/** An issue that lists what needs a person. */
export interface Dashboard {
  readonly title: string;
  readonly text: string;
}

const linesMax = 25;

/**
 * Lists what needs a person, for everyone who can read the repository: numbers, fields and commands, but no titles, no
 * values and nothing about hidden bugs. Possible mentions and references are code, so they notify nobody. The text has
 * no times and no counts of work in progress, so it changes only when there is news.
 */
export function dashboardOf(status: RouteStatus, isHidden: (link: LinkId) => boolean): Dashboard {
  const sections = [
    section('Stopped', halts(status)),
    section(
      'These need a correction: `bugferry status`',
      status.failures.filter(isBeside).map((each) => capital(headlineOf(each))),
    ),
    section(
      'Both sides changed the same field',
      status.conflicts
        .filter((conflict) => isOpen(conflict) && !isHidden(conflict.link))
        .map(({ about, field }) => `\`${about}\`: ${field}, \`${decideCommand(about)}\``),
    ),
    section(
      'These writes were refused, and are not tried again',
      status.parked
        .filter(({ operation }) => !isHidden(operation.link))
        .map(({ about, number }) => `\`${about}\`: \`bugferry retry ${number}\``),
    ),
    section(
      'bugferry failed on these, and set them aside: `bugferry status`',
      status.setAside.filter(({ link }) => link !== null && !isHidden(link)).map(({ about }) => `\`${about}\``),
    ),
    section(
      'A value has no counterpart on the other side',
      status.skips
        .filter(({ link, needsPerson }) => needsPerson && !isHidden(link))
        .map(({ about }) => `\`${about}\`: \`${explainCommand(about)}\``),
    ),
  ].filter((each) => each !== null);
  const found = sections.length === 0 ? ['Nothing public needs a person.'] : sections;
  const text = [
    `bugferry keeps this list for route \`${status.route}\` up to date until you close this issue.`,
    ...found,
  ].join('\n\n');
  return { title: `What needs a person (${status.route})`, text };
}

function section(heading: string, found: readonly string[]): string | null {
  const lines = [...new Set(found)];
  if (lines.length === 0) return null;
  const rest = lines.length > linesMax ? [`and ${lines.length - linesMax} more`] : [];
  return [`**${heading}**`, '', ...[...lines.slice(0, linesMax), ...rest].map((line) => `- ${line}`)].join('\n');
}

/** Why nothing crosses. The headline of the verdict names neither hosts nor files; a single failed cycle is no news. */
function halts({ verdict, refusals }: RouteStatus): readonly string[] {
  return [
    ...(verdict.standing === 'failed' && verdict.tone === 'bad' ? [`${verdict.headline}: \`bugferry status\``] : []),
    ...(refusals.length === 0 ? [] : ['The brake holds back a plan: `bugferry plan`']),
  ];
}
