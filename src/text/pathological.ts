import { depthOf, stepsOfCode, stepsOfLines } from './layout/line-steps.ts';
import { paragraphsIn, withoutCode } from './layout/paragraphs.ts';

/**
 * Detects texts that would keep a Markdown parser busy for more than a fifth of a second, and with it the whole bridge.
 * Each line and sign costs the parser its time; from some signs it walks back over all that it has found in the
 * paragraph, or on to the end of it, and from some lines over the whole text. Its steps are counted here sign by sign;
 * 200 of them take it about a microsecond. A clock would judge differently on each machine, and the parts of a text
 * must remain the same.
 */
export const isPathological = (text: string): boolean => stepsToRead(text) > stepsMax;

/** About how many steps a parser takes; where they are too many, not all are counted. */
function stepsToRead(text: string): number {
  const all = text.split(/\r\n?|\n/u);
  if (all.some(isDeep)) return Number.POSITIVE_INFINITY;
  const lines = withoutCode(all);
  let steps = stepsOfLines(lines) + stepsOfCode(all.length - lines.length);
  for (const paragraph of paragraphsIn(lines)) {
    if (steps > stepsMax) break;
    steps += stepsIn(paragraph);
  }
  return steps;
}

const stepsMax = 44_000_000;

/** Steps that take as long as one step back over two signs. */
const stepsOf = {
  word: 12,
  bracket: 4,
  note: 7,
  character: 8,
  host: 25,
  level: 40,
} as const;

/** For each sign where it is found, as measured with 65,536 characters full of it. */
const stepsOfSign: Readonly<Record<string, number>> = {
  '\n': 0,
  '\\': 600,
  '&': 1_200,
  '`': 1_200,
  '@': 1_500,
  '<': 1_500,
  '|': 2_000,
  '~': 2_600,
  '[': 2_500,
  '!': 2_500,
  ']': 2_500,
  '*': 2_800,
  _: 2_800,
};
const stepsOfWord = { plain: 400, address: 1_500 } as const;

/** Lists or quotations twice as deep, with nested emphasis inside, would exhaust the stack of a parser. */
const depthMax = 1_000;
const isDeep = (line: string): boolean => depthOf(line) > depthMax;

interface Opener {
  readonly sign: string;
  readonly at: number;
  /** How many of its signs still open something. */
  length: number;
  /** How deep emphasis is nested within. */
  depth: number;
}

interface Count {
  steps: number;
  /** Signs, and words with signs, found so far. */
  signs: number;
  words: number;
  /** What a parser finds within addresses, escapes and character references, in signs. */
  inner: number;
  readonly openers: Opener[];
  /** How many words, and how much of all but words, were before each bracket that is still open. */
  readonly brackets: { readonly words: number; readonly all: number }[];
  /** What was found before the last bracket that opened: no parser looks further back for a note. */
  lastBracket: number;
}

const token = /\\[!-/:-@[-`{-~]?|([*_~])\1*|!?\[|[\]|`&@]|<(?:!--|\?|!\[CDATA\[|!-|![a-z])?|\n|[a-z\d.+-]+/giu;

function stepsIn(paragraph: string): number {
  const count: Count = {
    steps: endsOfAddresses(paragraph) + namesOfHosts(paragraph),
    signs: 0,
    words: 0,
    inner: 0,
    openers: [],
    brackets: [],
    lastBracket: 0,
  };
  const ends = new Map<string, number>();
  for (const match of paragraph.matchAll(token)) {
    const [sign] = match;
    if (/^[*_~]/u.test(sign)) countEmphasis(count, paragraph, match);
    else if (/^!?\[/u.test(sign)) openBracket(count);
    else if (sign === ']') countBracket(count, paragraph, match.index);
    else if (sign === '<!-') count.steps += 3 * (count.signs + count.words);
    else if (sign.length > 1 && sign.startsWith('<')) {
      const steps = unclosed(paragraph, match, ends);
      // At the beginning of a line it takes all the rest, which is then no Markdown.
      if (steps > 0 && isAtStart(paragraph, match.index)) return count.steps;
      count.steps += steps;
      if (sign.endsWith('[') && steps > 0) openBracket(count);
    } else if (sign !== '\n') count.steps += sinceBracket(count) * stepsOf.word;
    // What is left of a run of backticks is another one, and may have no end.
    if (sign === '\\`' && paragraph[match.index + 2] === '`')
      count.steps += (paragraph.length - match.index) * stepsOf.character;
    if (/^[a-z\d.+-]/iu.test(sign)) {
      const isAddress = /^(?:https?$|www\.)/iu.test(sign);
      count.words += 1;
      count.inner += isAddress ? innerOfAddress : 0;
      count.steps += isAddress ? stepsOfWord.address : stepsOfWord.plain;
    } else {
      count.signs += 1;
      count.inner += innerSigns[sign.charAt(0)] ?? 0;
      count.steps += isInWord(paragraph, sign, match.index) ? stepsOfWord.plain : (stepsOfSign[sign.charAt(0)] ?? 0);
    }
    if (count.steps > stepsMax) return count.steps;
  }
  return count.steps;
}

const innerSigns: Readonly<Record<string, number>> = { '\\': 2, '&': 3, '<': 1, '\n': 2, '`': 2 };
const [innerOfAddress, innerOfEmphasis, innerOfLink] = [4, 4, 15];

/**
 * A closing run looks back for an opening one; without any, over the whole paragraph. Of two signs each they make one
 * level, of many as many.
 */
function countEmphasis(count: Count, paragraph: string, { 0: run, index }: RegExpExecArray): void {
  const [before, after] = [paragraph[index - 1] ?? ' ', paragraph[index + run.length] ?? ' '];
  const { openers, signs } = count;
  if (isInWord(paragraph, run, index)) return;
  const canClose = isBeside(before, after);
  const canOpen = isBeside(after, before);
  let length = run.length;
  while (canClose && length > 0) {
    const found = openers.findLastIndex(({ sign }) => sign === run[0]);
    const opener = openers[found];
    count.steps += 5 * (signs + count.inner - (opener?.at ?? 0));
    if (opener === undefined) break;
    const used = Math.min(opener.length, length);
    const levels = Math.ceil(used / 2);
    const depth = Math.max(...openers.slice(found).map((each) => each.depth)) + levels;
    count.steps += depth > depthMax ? Number.POSITIVE_INFINITY : stepsOf.level * levels * depth;
    count.inner += innerOfEmphasis * levels;
    length -= used;
    opener.length -= used;
    opener.depth = depth;
    openers.length = opener.length === 0 ? found : found + 1;
    const outer = openers.at(-1);
    if (outer !== undefined) outer.depth = Math.max(outer.depth, depth);
  }
  if (canOpen && length > 0) openers.push({ sign: run[0] ?? '', at: signs + count.inner, length, depth: 0 });
}

/** Then it neither opens nor closes anything. */
const isInWord = (paragraph: string, run: string, at: number): boolean =>
  run.startsWith('_') && /\w/u.test(paragraph[at - 1] ?? '') && /\w/u.test(paragraph[at + run.length] ?? '');

/** Whether emphasis may begin or end between a character within it and one outside. */
const isBeside = (within: string, outside: string): boolean =>
  /[*_~]/u.test(within) ||
  (!/\s/u.test(within) && (!punctuation.test(within) || /\s/u.test(outside) || punctuation.test(outside)));
const punctuation = /[\p{P}\p{S}]/u;

function openBracket(count: Count): void {
  const { signs, words, inner } = count;
  count.steps += (count.brackets.length < 100 ? 0.3 : 0.6) * (signs + words);
  count.brackets.push({ words, all: signs + inner });
  count.lastBracket = foundBefore(count);
}

/** Signs that might end an address: at each of them, a parser reads on to see whether only others follow. */
function endsOfAddresses(paragraph: string): number {
  let steps = 0;
  for (const [address] of paragraph.matchAll(/(?:https?:\/\/|www\.)\S{200,}/giu))
    for (const { 0: run, index } of address.matchAll(/(?:[!"')*,.:;?_~\]]|&[a-z]+;){50,}/giu))
      if (/^[^<]/u.test(address.slice(index + run.length))) steps += 2 * run.length ** 2;
  return steps;
}

/** Each `www.` behind such a sign may begin an address: a parser reads on to the end of its host, which may be none. */
function namesOfHosts(paragraph: string): number {
  let steps = 0;
  for (const [host] of paragraph.matchAll(/[-.\w\u0080-\u{10ffff}]{200,}/gu))
    for (const { index } of host.matchAll(/_www\./giu)) steps += stepsOf.host * (host.length - index);
  return steps;
}

/** May end a link: without a beginning, over the whole paragraph; its title goes on to a sign that may be missing. */
function countBracket(count: Count, paragraph: string, at: number): void {
  const open = count.brackets.pop();
  const { signs, words } = count;
  const found = foundBefore(count);
  // A bracket of no link joins the words around it, and all that is before them may move.
  count.steps += open === undefined ? stepsOf.bracket * found : 0.25 * (signs + words);
  count.steps += stepsOf.note * (found - count.lastBracket);
  if (open !== undefined) {
    if (/^\][([]/u.test(paragraph.slice(at, at + 2))) count.inner += innerOfLink;
    count.steps += 2 * (words - open.words);
  }
  const [start = '', quote] = /^\]\([^\s()]*[ \t\n]+(["'(])/u.exec(paragraph.slice(at, at + 1_000)) ?? [];
  if (quote === undefined) return;
  const end = paragraph.indexOf(quote === '(' ? ')' : quote, at + start.length);
  count.steps += ((end === -1 ? paragraph.length : end) - at) * stepsOf.character;
}

/** How far a word is from a bracket that is still open: a parser walks back to it from each, over signs. */
function sinceBracket({ brackets, signs, inner }: Count): number {
  const all = signs + inner;
  return all - (brackets.at(-1)?.all ?? all);
}

/** What a parser has found so far, in signs. */
const foundBefore = ({ signs, words, inner }: Count): number => signs + 2 * words + inner;

const isAtStart = (paragraph: string, at: number): boolean =>
  /^[ \t>]*$/u.test(paragraph.slice(Math.max(paragraph.lastIndexOf('\n', at - 1) + 1, at - 10), at));

/** A comment or an instruction that never ends: each is read to the end of the paragraph. */
function unclosed(paragraph: string, { 0: start, index }: RegExpExecArray, ends: Map<string, number>): number {
  const kind = start.length === 3 ? '<!x' : start;
  const end = { '<!--': '-->', '<?': '?>', '<!x': '>' }[kind] ?? ']]>';
  const last = ends.get(end) ?? paragraph.lastIndexOf(end);
  ends.set(end, last);
  return last < index ? (paragraph.length - index) * stepsOf.character : 0;
}
