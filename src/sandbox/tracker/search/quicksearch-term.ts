import { choicesIn } from '../installation/installation.ts';
import { namedField } from './quicksearch-field.ts';
import type { Scope } from './scope.ts';
import { splitQuoted } from './words.ts';

/** The criteria that a quicksearch collects, under the names of the older charts. */
export interface Charts {
  readonly parameters: Map<string, string>;
  readonly unknown: string[];
  readonly ambiguous: { readonly name: string; readonly fields: readonly string[] }[];
  isStatusSet: boolean;
  /** Whether the word that is being added is negated. */
  isNegated: boolean;
  add(field: string, operator: string, value: string): void;
  /** Begins the next chart: all that follows must match too. */
  next(): void;
}

export function newCharts(): Charts {
  let [chart, row, column] = [0, 0, 0];
  const charts: Charts = {
    parameters: new Map(),
    unknown: [],
    ambiguous: [],
    isStatusSet: false,
    isNegated: false,
    add(field, operator, value) {
      const id = `${chart}-${row}-${column}`;
      charts.parameters.set(`field${id}`, field).set(`type${id}`, charts.isNegated ? negative(operator) : operator);
      charts.parameters.set(`value${id}`, value);
      if (charts.isNegated) [row, column] = [row + 1, 0];
      else column += 1;
    },
    next() {
      [chart, row, column] = [chart + 1, 0, 0];
    },
  };
  return charts;
}

const negative = (operator: string): string => (operator === 'anywords' ? 'nowords' : `not${operator}`);

/** Adds one word of a quicksearch. */
export function addTerm(scope: Scope, charts: Charts, term: string): void {
  charts.isNegated = term.startsWith('-');
  const word = charts.isNegated ? term.slice(1) : term;
  if (addMarked(charts, word) || addFields(scope, charts, word) || addFlag(charts, word)) return;
  for (const part of splitQuoted(word, ',', false)) {
    if (!addPriority(scope, charts, part)) addPlain(scope, charts, part);
    if (isAddress(part)) charts.add('bug_file_loc', 'substring', part);
  }
}

/** Words whose first character selects the field. */
function addMarked(charts: Charts, word: string): boolean {
  if (word.length <= 1) return false;
  const rest = word.slice(1);
  switch (word[0]) {
    case '#':
      charts.add('short_desc', 'substring', rest);
      charts.add('content', 'matches', asPhrase(rest));
      return true;
    case ':':
      for (const name of rest.split(','))
        for (const field of ['product', 'component']) charts.add(field, 'substring', name);
      return true;
    case '@':
      for (const name of rest.split(',')) charts.add('assigned_to', 'substring', name);
      return true;
    case '[':
      for (const field of ['short_desc', 'status_whiteboard']) charts.add(field, 'substring', rest);
      return true;
    case '!':
      charts.add('keywords', 'anywords', rest);
      return true;
    default:
      return false;
  }
}

/** Longer signs come first, so that `>=` is not taken for `>`. */
const signs = [
  ['!=', 'notequals'],
  ['>=', 'greaterthaneq'],
  ['<=', 'lessthaneq'],
  [':', 'substring'],
  ['=', 'equals'],
  ['>', 'greaterthan'],
  ['<', 'lessthan'],
] as const;

/** `field1,field2:value1,value2`, also with a comparison instead of the colon. */
function addFields(scope: Scope, charts: Charts, word: string): boolean {
  for (const [sign, operator] of signs) {
    const [names, texts, more] = splitQuoted(word, sign, true);
    if (names === undefined || texts === undefined || more !== undefined) continue;
    for (const name of splitQuoted(names, ',', true)) {
      const field = namedField(scope, name);
      if (field === null) charts.unknown.push(name);
      else if (typeof field !== 'string') charts.ambiguous.push({ name, fields: field });
      else for (const text of splitQuoted(texts, ',', true)) addValue(charts, field, operator, text);
    }
    return true;
  }
  return false;
}

function addValue(charts: Charts, field: string, operator: string, text: string): void {
  if (field === 'bug_status' || field === 'resolution') charts.isStatusSet = true;
  const [, , inner] = /^(["'])(.+)\1$/s.exec(text) ?? [];
  const value = inner === undefined ? text : inner.replace(/\\(["'])/g, '$1');
  const [, flag, requestee] = /^([^?]+\?)([^?]+)$/.exec(value) ?? [];
  if (field === 'flagtypes.name' && flag !== undefined && requestee !== undefined) addRequest(charts, flag, requestee);
  else charts.add(field, own[field] ?? operator, value);
}

/** Fields that go with one operator only. */
const own: Readonly<Record<string, string>> = { content: 'matches', owner_idle_time: 'greaterthan' };

/** `review?` finds the flag, `review?bob` also its requestee. */
function addFlag(charts: Charts, word: string): boolean {
  if (/^(["']).*\1$/s.test(word)) return false;
  const [, flag, requestee = ''] = /^([^?]+\?)([^?]*)$/.exec(word) ?? [];
  if (flag === undefined) return false;
  addRequest(charts, flag, requestee);
  return true;
}

function addRequest(charts: Charts, flag: string, requestee: string): void {
  charts.add('flagtypes.name', 'substring', flag);
  if (requestee === '') return;
  charts.next();
  charts.add('requestees.login_name', 'substring', requestee);
}

/** `P2` is the second priority, `P1-3` are the first three. */
function addPriority({ state }: Scope, charts: Charts, word: string): boolean {
  const [, from, to] = /^P(\d+)(?:-(\d+))?$/i.exec(word) ?? [];
  if (from === undefined) return false;
  const { values } = choicesIn(state).priority;
  const start = Math.max(0, Number(from) - 1);
  const end = to === undefined ? start : Math.max(0, Math.min(values.length, Number(to)) - 1);
  charts.add('priority', 'anyexact', values.slice(Math.min(start, end), Math.max(start, end) + 1).join(','));
  return true;
}

function addPlain({ state }: Scope, charts: Charts, word: string): void {
  const lower = word.toLowerCase();
  const isLong = [...word].length > 2;
  if (isLong && !['row', 'new'].includes(lower)) charts.add('product', 'substring', word);
  if (isLong && lower !== 'hang') charts.add('component', 'substring', word);
  if (state.keywords.some(({ name }) => name.toLowerCase() === lower)) charts.add('keywords', 'substring', word);
  for (const field of ['alias', 'short_desc', 'status_whiteboard']) charts.add(field, 'substring', word);
  charts.add('content', 'matches', asPhrase(word));
}

const asPhrase = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

const isAddress = (word: string): boolean =>
  /\d+\.\d+\.\d+\.\d+|^[A-Za-z]+(?:\.[A-Za-z]+)+|:[\\/][\\/]|localhost|mailto:?/.test(word);
