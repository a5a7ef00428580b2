/**
 * Detects texts that would keep a Markdown parser busy for seconds or minutes, and with it the whole bridge. From some
 * signs a parser walks back over all that it has found in the paragraph, or on to the end of it, and from some lines
 * over the whole text. Its steps are counted here sign by sign; 200 of them take it about a microsecond. A text is
 * pathological if it would take half a second more than its length deserves: a clock would judge differently on each
 * machine, and the parts of a text must remain the same.
 */
export function isPathological(text: string): boolean {
  const lines = text.split('\n');
  if (lines.some(isDeep)) return true;
  let steps = raggedCount(lines) * lines.length * stepsOf.line;
  if (steps > stepsMax) return true;
  for (const paragraph of paragraphsIn(lines)) {
    steps += stepsIn(paragraph);
    if (steps > stepsMax) return true;
  }
  return false;
}

const stepsMax = 100_000_000;

/** Steps that take as long as one step back over two signs. */
const stepsOf = { line: 6, word: 5, character: 8, level: 40, link: 100 } as const;

/** Lists or quotations twice as deep, with nested emphasis inside, would exhaust the stack of a parser. */
const depthMax = 1_000;
const isDeep = (line: string): boolean => (containers.exec(line)?.[0].match(container)?.length ?? 0) > depthMax;

/** The containers at the start of a line: quotations, list items and footnotes. */
const containers = /^(?:[ \t]*(?:>|\[\^(?:\\.|[^\s[\]\\])+\]:|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/u;
const container = />|\[\^(?:\\.|[^\s[\]\\])+\]:|[-*+]|\d+[.)]/gu;

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
  readonly openers: Opener[];
  /** How many of both were before each bracket that is still open. */
  readonly brackets: Pick<Count, 'signs' | 'words'>[];
  /** How many signs and words were before the last bracket that opened: no parser looks further back for one. */
  lastBracket: number;
}

const token = /([*_~])\1*|!?\[|\]|<(?:!--|\?|!\[CDATA\[|![a-z])|\n|[a-z\d.+-]+/giu;

function stepsIn(paragraph: string): number {
  const count: Count = {
    steps: endsOfAddresses(paragraph),
    signs: 0,
    words: 0,
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
    else if (sign.startsWith('<')) {
      const steps = unclosed(paragraph, match, ends);
      // At the beginning of a line it takes all the rest, which is then no Markdown.
      if (steps > 0 && /(?:^|\n)[\s>]*$/u.test(paragraph.slice(Math.max(0, match.index - 10), match.index)))
        return count.steps;
      count.steps += steps;
    } else if (sign !== '\n')
      count.steps += (count.words - (count.brackets.at(-1)?.words ?? count.words)) * stepsOf.word;
    if (/^[a-z\d.+-]/iu.test(sign)) count.words += 1;
    else count.signs += 1;
    if (count.steps > stepsMax) return count.steps;
  }
  return count.steps;
}

/**
 * A closing run looks back for an opening one; without any, over the whole paragraph. Of two signs each they make one
 * level, of many as many.
 */
function countEmphasis(count: Count, paragraph: string, { 0: run, index }: RegExpExecArray): void {
  const [before, after] = [paragraph[index - 1] ?? ' ', paragraph[index + run.length] ?? ' '];
  const { openers, signs } = count;
  const isIntraword = run.startsWith('_') && /\w/u.test(before) && /\w/u.test(after);
  const canClose = !/\s/u.test(before) && !isIntraword;
  const canOpen = !/\s/u.test(after) && !isIntraword;
  let length = run.length;
  while (canClose && length > 0) {
    const found = openers.findLastIndex(({ sign }) => sign === run[0]);
    const opener = openers[found];
    count.steps += 4 * (signs - (opener?.at ?? 0));
    if (opener === undefined) break;
    const used = Math.min(opener.length, length);
    const levels = Math.ceil(used / 2);
    const depth = Math.max(...openers.slice(found).map((each) => each.depth)) + levels;
    count.steps += depth > depthMax ? Number.POSITIVE_INFINITY : stepsOf.level * levels * depth;
    length -= used;
    opener.length -= used;
    opener.depth = depth;
    openers.length = opener.length === 0 ? found : found + 1;
    const outer = openers.at(-1);
    if (outer !== undefined) outer.depth = Math.max(outer.depth, depth);
  }
  if (canOpen && length > 0) openers.push({ sign: run[0] ?? '', at: signs, length, depth: 0 });
}

function openBracket(count: Count): void {
  const { signs, words } = count;
  count.brackets.push({ signs, words });
  count.lastBracket = signs + words;
}

/** Signs that might end an address: at each of them, a parser reads on to see whether only others follow. */
function endsOfAddresses(paragraph: string): number {
  let steps = 0;
  for (const [address] of paragraph.matchAll(/(?:https?:\/\/|www\.)\S{200,}/giu))
    for (const { 0: run, index } of address.matchAll(/(?:[!"')*,.:;?_~\]]|&[a-z]+;){50,}/giu))
      if (/^[^<]/u.test(address.slice(index + run.length))) steps += 2 * run.length ** 2;
  return steps;
}

/**
 * What may be the end of a link: without a beginning, over the whole paragraph. Its title goes on to a sign that may be
 * missing.
 */
function countBracket(count: Count, paragraph: string, at: number): void {
  const open = count.brackets.pop();
  const { signs, words } = count;
  // A bracket of no link joins the words around it, and all that is before them may move.
  count.steps += (signs + words) / 2 + 2 * (signs + words - count.lastBracket);
  if (open !== undefined) {
    const isLink = /^\][([]/u.test(paragraph.slice(at, at + 2));
    count.steps += isLink ? stepsOf.link * (signs - open.signs + words - open.words) : 2 * (words - open.words);
  }
  const quote = /^\]\([^\s()]*\s+(["'])/u.exec(paragraph.slice(at, at + 1_000))?.[1];
  if (quote === undefined) return;
  const end = paragraph.indexOf(quote, at + 4);
  count.steps += ((end === -1 ? paragraph.length : end) - at) * stepsOf.character;
}

/** A comment or an instruction that never ends: each is read to the end of the paragraph. */
function unclosed(paragraph: string, { 0: start, index }: RegExpExecArray, ends: Map<string, number>): number {
  const kind = start.length === 3 ? '<!x' : start;
  const end = { '<!--': '-->', '<?': '?>', '<!x': '>' }[kind] ?? ']]>';
  const last = ends.get(end) ?? paragraph.lastIndexOf(end);
  ends.set(end, last);
  return last < index ? (paragraph.length - index) * stepsOf.character : 0;
}

/** Lines under headings, and those that may continue a quotation or a list without its sign. */
function raggedCount(lines: readonly string[]): number {
  let count = 0;
  let isWithin = false;
  for (const [index, line] of lines.entries()) {
    const hasSign = /^[ \t]*(?:>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/u.test(line);
    const isUnder = underline.test(line) && !bare.test(lines[index - 1] ?? '');
    if (isUnder || (isWithin && !hasSign && line.trim() !== '')) count += 1;
    isWithin = hasSign || (isWithin && line.trim() !== '');
  }
  return count;
}

const underline = /^[\s>]*(?:=+|-+)\s*$/u;
/** A line that no line can lie under. */
const bare = /^[\s>]*(?:=+|-+|)\s*$/u;

/** About the paragraphs of a text, items of its lists and rows of its tables; code has none. */
function paragraphsIn(lines: readonly string[]): readonly string[] {
  const found: string[][] = [[]];
  let fence: string | null = null;
  for (const line of lines) {
    const sign = /^[\s>]*(`{3,}|~{3,})/u.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (sign?.startsWith(fence) === true) fence = null;
    } else if (sign !== null) fence = sign;
    else if (border.test(line)) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found.map((paragraph) => paragraph.join('\n'));
}

const border = /^[\s>]*(?:$|(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)/u;
