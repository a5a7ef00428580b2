import type { Side } from '../../model/ids.ts';
import type { Person } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { People } from '../../model/people.ts';
import { type Known, type Role, type Roster, roles } from '../../model/reports/roster.ts';

/** One appearance of a person in a role. */
export interface Appearance {
  readonly side: Side;
  readonly person: Person;
  readonly role: Role;
}

/** The participants of a link. The bridge's own items do not count, and items that are not public reveal no one. */
export function appearancesIn(
  { origin, tracker: bug, github: issue }: Link,
  commentLinks: readonly CommentLink[],
): readonly Appearance[] {
  const found: Appearance[] = [];
  if (bug !== null && origin === 'tracker') found.push({ side: 'tracker', person: bug.creator, role: 'reported' });
  if (bug?.assignee) found.push({ side: 'tracker', person: bug.assignee, role: 'assigned' });
  if (issue !== null && origin === 'github') found.push({ side: 'github', person: issue.author, role: 'reported' });
  for (const login of issue?.assignees ?? [])
    found.push({ side: 'github', person: { login, name: login }, role: 'assigned' });
  for (const { origin: side, source, count, author: person, state } of commentLinks) {
    const isReport = count === 0 || (side === 'github' && source === bodyId);
    if (!isReport && state !== 'skipped' && state !== 'withdrawn') found.push({ side, person, role: 'commented' });
  }
  return found;
}

/** Everyone who was seen, the most active first, with their counterparts from `people` and proposals for the others. */
export function rosterOf(people: People, sightings: Iterable<Appearance>): Roster {
  const [tracker, github] = [new Map<string, Counted>(), new Map<string, Counted>()];
  for (const { side, person, role } of sightings) {
    const book = side === 'tracker' ? tracker : github;
    const counted = book.get(lowered(person.login)) ?? { person, times: { reported: 0, assigned: 0, commented: 0 } };
    counted.times[role] += 1;
    // Comments contain no real names, so a name from elsewhere is preferred.
    book.set(lowered(person.login), counted.person.name.length < person.name.length ? { ...counted, person } : counted);
  }
  const free = [...github.values()].filter(({ person }) => !people.tracker.has(lowered(person.login)));
  const known = ({ person, times }: Counted, mapped: string | undefined, proposal: Known['proposal']): Known => ({
    ...person,
    times,
    mapped: mapped ?? null,
    isNobody: people.nobody.some((login) => lowered(login) === lowered(person.login)),
    proposal: mapped === undefined ? proposal : null,
  });
  const isNobody = ({ person }: Counted) => people.nobody.some((login) => lowered(login) === lowered(person.login));
  return {
    tracker: [...tracker.values()]
      .map((each) =>
        known(
          each,
          people.github.get(lowered(each.person.login)),
          isNobody(each) ? null : proposalFor(each.person, free),
        ),
      )
      .sort(byActivity),
    github: [...github.values()]
      .map((each) => known(each, people.tracker.get(lowered(each.person.login)), null))
      .sort(byActivity),
  };
}

interface Counted {
  readonly person: Person;
  readonly times: Record<Role, number>;
}

/** A GitHub user with the same name; null if there is none, or more than one. */
function proposalFor({ login, name }: Person, free: readonly Counted[]): Known['proposal'] {
  const local = login.split('@', 1)[0] ?? login;
  for (const [mine, why] of [
    [name, 'the same name'],
    [local, 'the same login'],
  ] as const) {
    const alike = free.filter(({ person }) =>
      [person.login, person.name].some((theirs) => plain(theirs) === plain(mine) && plain(mine) !== ''),
    );
    const [only] = alike;
    if (only !== undefined && alike.length === 1) return { login: only.person.login, why };
  }
  return null;
}

/** Without accents, spaces and punctuation: people spell their names in many ways. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const total = ({ times }: Known): number => roles.reduce((sum, role) => sum + times[role], 0);
const byActivity = (one: Known, other: Known): number =>
  total(other) - total(one) || (one.login < other.login ? -1 : 1);
const lowered = (login: string): string => login.toLowerCase();
