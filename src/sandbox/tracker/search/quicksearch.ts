import { isOpen, resolutions, statuses } from '../installation/workflow.ts';
import { TrackerError } from '../server/errors.ts';
import { messages } from '../server/messages.ts';
import type { Parameters } from './parameters.ts';
import { addTerm, type Charts, newCharts } from './quicksearch-term.ts';
import type { Scope } from './scope.ts';
import { splitQuoted } from './words.ts';

/**
 * A search in one line, as people type it: words that must all occur in the product, component, alias, summary,
 * whiteboard, keywords or text; `field:value`, `-word`, `one|other`, `AND OR NOT`, flags with `?`, `!keyword`, `#text`,
 * `@assignee`, `:product`, `[tag`. Statuses or resolutions in capitals, `ALL` or `OPEN` may come first; without them
 * only open bugs are found. Numbers alone are bugs. Returns the search's parameters, extended by the line. Throws 1000
 * for an empty line and 32000 for a wrong one.
 */
export function quicksearch(scope: Scope, asked: Parameters): Parameters {
  const line = withoutEnds(asked.get('quicksearch')?.[0] ?? '');
  const parameters = new Map([...asked].filter(([name]) => !['quicksearch', 'load', 'run'].includes(name)));
  if (line === '' || line === '0')
    throw new TrackerError(1000, 400, 'You may not search, or create saved searches, without any search terms.');
  if (/^#?[0-9,\s]*$/.test(line)) {
    return parameters
      .set('bug_id', [line.replace('#', '').replace(/[,\s]+/g, ',')])
      .set('order', ['bugs.bug_id'])
      .set('bug_id_type', ['anyexact']);
  }
  const [first = '', ...others] = groups(line);
  const begins = begin(first, parameters);
  const charts = newCharts();
  for (const group of begins ? others : [first, ...others]) {
    for (const term of splitQuoted(group, '|', true)) addTerm(scope, charts, term);
    charts.next();
  }
  if (!begins && !charts.isStatusSet) parameters.set('bug_status', statuses.filter(isOpen));
  refuseUnknown(charts);
  for (const [name, value] of charts.parameters) parameters.set(name, [value]);
  return parameters;
}

/** Without surrounding white space and commas. */
function withoutEnds(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end).replace(/^[\s,]+/, '');
}

/** The words of a line, those joined by OR as one with bars between them. */
function groups(line: string): readonly string[] {
  const words = [...splitQuoted(line, /\s+/, true)];
  if (words.length === 0) throw new TrackerError(32000, 400, unclosed(line));
  if (/^(?:AND|OR)$/.test(words[0] ?? '') || /^(?:AND|OR|NOT)$/.test(words.at(-1) ?? '')) throw invalid();
  const found: string[] = [];
  let alternatives: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === 'AND' || word === 'OR') {
      if (words[0] === (word === 'AND' ? 'OR' : 'AND')) throw invalid();
    } else if (word === 'NOT') {
      const negated = words.shift() ?? '';
      if (negated === 'AND' || negated === 'OR') throw invalid();
      if (negated !== 'NOT') words.unshift(`-${negated}`);
    } else {
      alternatives.push(word);
      if (words[0] === 'OR') continue;
      found.push(alternatives.join('|'));
      alternatives = [];
    }
  }
  return found;
}

const reserved = 'They are reserved operators and must be quoted if you want to look for these strings.';
const invalid = (): TrackerError =>
  new TrackerError(
    32000,
    400,
    `Your query is invalid. A query cannot start with AND or OR, nor can it end with AND, OR or NOT. ${reserved}`,
  );

function unclosed(line: string): string {
  const hint = 'If you use quotes to enclose strings, make sure both quotes are present.';
  const quote = 'If you really want to look for a quote in a string, type \\" instead of ".';
  const example = `For instance, "I'm so \\"special\\", really" (with quotes) will be interpreted as I'm so "special", really.`;
  return `Bugzilla is unable to parse your query correctly: ${line}. ${hint} ${quote} ${example}`;
}

/** The first word may select statuses and resolutions, in capitals that may be abbreviated. True if it does. */
function begin(word: string, parameters: Map<string, readonly string[]>): boolean {
  if (word === 'ALL') return true;
  if (word === 'OPEN') {
    parameters.set('bug_status', statuses.filter(isOpen));
    return true;
  }
  if (!/^[A-Z_]+(,[A-Z_]+)*$/.test(word)) return false;
  const isMeant = (name: string): boolean => word.split(',').some((prefix) => name.startsWith(prefix));
  const meant = resolutions.filter(isMeant);
  const wanted = statuses.filter((status) => isMeant(status) || (meant.length > 0 && !isOpen(status)));
  if (wanted.length === 0) return false;
  parameters.set('bug_status', wanted);
  if (meant.length > 0) parameters.set('resolution', meant);
  return true;
}

function refuseUnknown({ unknown, ambiguous }: Charts): void {
  if (unknown.length + ambiguous.length === 0) return;
  const texts = [
    ...unknown.map((name) => `${name} is not a valid field name.`),
    ...ambiguous.map(({ name, fields }) => `${name} matches more than one field: ${fields.join(', ')}`),
  ];
  const what = `There is a problem with your search: ${texts.join(' ')}`;
  throw new TrackerError(32000, 400, unknown.length === 0 ? what : messages.noField(what));
}
