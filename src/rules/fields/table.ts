import type { Bug, Fields, Issue } from '../../model/item.ts';
import { issueNumberIn } from '../../model/named.ts';
import type { IssuePatch } from '../../model/plan/draft.ts';
import type { UpdateOperation } from '../../model/plan/operation.ts';
import type { PublicBug, PublicNeighbour } from '../../model/plan/public.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, isSet, visible, withoutAddresses } from '../../text/canonical.ts';
import { parseGithubMarker } from '../../text/marker.ts';
import { isGithubPage } from '../../text/references.ts';
import { toMarkdownInline } from '../../text/to-markdown.ts';
import { withoutThumbsUp } from '../labels/tags.ts';

/**
 * The collapsed table of an issue: fields that only the tracker has, for the fields that the route lists. It is right
 * above the marker, belongs to the tracker, and is a field like any other: compared with the body's table, written if
 * it differs, and restored if people changed it. It names only bugs that are mirrored and public, and never shows a
 * person's e-mail address.
 */
const sign = '<!-- bugferry:table -->';
const present = /<!-- bugferry:table -->(?:(?!<!-- bugferry:)[\s\S])*?<\/details>(?=\s*<!-- bugferry:1 [^\n]*-->\s*$)/u;
const lastMarker = /<!-- bugferry:1 [^\n]*-->\s*$/u;

/** Longest value and longest table, in characters: a table must leave room for the text of the body. */
const valueMax = 500;
const tableMax = 4_000;
/** A body that would be longer than this with its table gets none. */
const bodyMax = 65_000;
const hasRoom = (body: string): boolean => body.length + tableMax <= bodyMax;

const head = `${sign}\n<details><summary>More about this bug</summary>\n\n| Field | Value |\n| --- | --- |`;
const end = '\n\n</details>';

/**
 * The last row. A vote does not change the bug, so comparisons ignore it: the number is written along with the next
 * change.
 */
const votesRow = /\n\| Votes \| \d+ \|(?=\n\n<\/details>$)/u;

/** The bug's table as Markdown, or null if it is empty; no fields if the route lists none. Without the votes. */
export function trackerTable(route: Route, bug: Bug, neighbours: readonly PublicNeighbour[]): Fields {
  if (route.table.length === 0) return {};
  let rows = '';
  for (const name of route.table.filter((each) => each !== 'votes')) {
    const value = cellFor(route, bug, name, neighbours);
    if (value === '') continue;
    const row = `\n| ${labelOf(name)} | ${value} |`;
    if (rows.length + row.length <= tableMax) rows += row;
  }
  return { table: rows === '' ? null : `${head}${rows}${end}` };
}

/** The table with the number of votes, if the route lists it and the tracker shows it. */
export function withVotes({ table: names }: Route, bug: PublicBug | null, table: Fields['table']): Fields['table'] {
  const votes = names.includes('votes') ? bug?.details?.['votes']?.[0] : undefined;
  if (votes === undefined || isSet(table)) return table;
  return `${(table ?? `${head}${end}`).slice(0, -end.length)}\n| Votes | ${votes} |${end}`;
}

/**
 * The table in the body of the issue without its votes; no fields if the body does not end with the marker of its bug,
 * or has no room. People may write the marker of another bug there, and our line then follows below it.
 */
export function githubTable(route: Route, issue: Issue, bug: number | null): Fields {
  const isOurs = bug !== null && parseGithubMarker(route.instance, issue.body)?.bug === bug;
  if (route.table.length === 0 || !isOurs) return {};
  const table = present.exec(issue.body)?.[0] ?? null;
  if (table === null && !hasRoom(issue.body)) return {};
  const compared = table === null ? null : canonicalText(table).replace(votesRow, '');
  return { table: compared === `${head}${end}` ? null : compared };
}

/** The body of a new issue, with its table if there is room. */
export function withTable(body: string, table: Fields['table']): string {
  if (typeof table !== 'string' || !hasRoom(body)) return body;
  return body.replace(lastMarker, (marker) => `${table}\n\n${marker}`);
}

/** The body of an existing issue, with its current table. */
export const withTableOf = (body: string, issue: Issue): string => withTable(body, present.exec(issue.body)?.[0]);

/**
 * The update's requests, with the table in the first of them: any update takes one PATCH, and brings the votes up to
 * date.
 */
export function withTableStep(
  route: Route,
  steps: readonly IssuePatch[],
  { target }: Pick<UpdateOperation, 'target'>,
  { bug, issue }: { readonly bug: PublicBug | null; readonly issue: Issue },
): readonly IssuePatch[] {
  const isAlong = target.table === undefined;
  const table = isAlong ? githubTable(route, issue, bug?.id ?? null).table : target.table;
  if (table === undefined || isSet(table) || (isAlong && steps.length === 0)) return steps;
  const wanted = `${withVotes(route, bug, table) ?? ''}`;
  const old = present.exec(issue.body)?.[0];
  if (isAlong && wanted === canonicalText(old ?? '')) return steps;
  const marker = lastMarker.exec(issue.body)?.[0];
  const [first = {}, ...rest] = steps;
  if (old !== undefined) return [{ ...first, passage: { was: old, becomes: wanted } }, ...rest];
  return marker === undefined
    ? steps
    : [{ ...first, passage: { was: marker, becomes: `${wanted}\n\n${marker}` } }, ...rest];
}

const labels: Readonly<Record<string, string>> = {
  alias: 'Alias',
  url: 'URL',
  see_also: 'See also',
  cc: 'CC',
  flags: 'Flags',
  deadline: 'Deadline',
  qa_contact: 'QA contact',
  whiteboard: 'Whiteboard',
  depends_on: 'Depends on',
};

const labelOf = (name: string): string =>
  labels[name] ?? toMarkdownInline(name.replace(/^cf_/u, '').replaceAll('_', ' '));

function cellFor(route: Route, bug: Bug, name: string, neighbours: readonly PublicNeighbour[]): string {
  if (name === 'depends_on') return bugsWaitedFor(bug, neighbours);
  const words =
    name === 'see_also' ? bug.seeAlso.filter((url) => mayShow(route, bug, url)) : (bug.details?.[name] ?? []);
  if (name === 'whiteboard')
    return words
      .map(withoutThumbsUp)
      .map((each) => cellOf(cut(each), route.webHost))
      .join(', ');
  return words.map((each) => cellOf(cut(each), route.webHost)).join(', ');
}

/** A bare GitHub address would add an event to the issue it names; as code it does not. A pipe would end the cell. */
function cellOf(words: string, webHost: string): string {
  if (!/^https?:\/\/[^\s<>"'`\\]+$/iu.test(words)) return toMarkdownInline(words);
  const url = withoutAddresses(visible(words)).replaceAll('|', '%7C');
  return /&#?\w+;/u.test(url) || isGithubPage(url, webHost) ? `\`${url}\`` : `<${url}>`;
}

/**
 * The issue itself is no news, and its pull requests say on GitHub that they name it: an address that we put there
 * would come back with another write. A bug of the same tracker may be private.
 */
function mayShow(route: Route, bug: Bug, url: string): boolean {
  const page = bug.url.slice(0, bug.url.lastIndexOf('=') + 1).replace(/^https?:/u, '');
  const own = issueNumberIn(route, url.replace(/\/pull\/(?=\d+(?:[/?#]|$))/u, '/issues/'));
  return own === null && !url.replace(/^https?:/u, '').startsWith(page);
}

function bugsWaitedFor({ dependsOn = [] }: Bug, neighbours: readonly PublicNeighbour[]): string {
  const named = neighbours.filter((each) => each.isShown && dependsOn.includes(each.bug));
  return named.map(({ bug, issueUrl }) => `[bug ${bug}](${issueUrl})`).join(', ');
}

function cut(words: string): string {
  const characters = [...words.replace(/\s+/gu, ' ').trim()];
  return characters.length <= valueMax ? characters.join('') : `${characters.slice(0, valueMax - 1).join('')}…`;
}
