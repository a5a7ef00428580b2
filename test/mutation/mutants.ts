import { parseSync } from 'rolldown/utils';

/** One small change of a piece of code, as a person could make it by mistake. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly becomes: string;
}

/** A node of the syntax tree, of whose many kinds a few matter here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

type Rewrite = (node: Node, text: (part: unknown) => string) => readonly string[];

const operators: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
/** Methods whose call is left out, so that the value stays as it was. */
const skipped =
  /^(?:filter|sort|toSorted|reverse|toReversed|trim|trimEnd|trimStart|slice|replace|replaceAll|toLowerCase|toUpperCase)$/u;
const others: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};

const rewrites: Readonly<Record<string, Rewrite>> = {
  BinaryExpression: ({ left, operator, right }, text) =>
    (operators[String(operator)] ?? []).map((other) => `${text(left)} ${other} ${text(right)}`),
  LogicalExpression: ({ left, operator, right }, text) => [
    ...(operator === '??' ? [] : [`${text(left)} ${operator === '&&' ? '||' : '&&'} ${text(right)}`]),
    text(left),
    text(right),
  ],
  UnaryExpression: ({ operator, argument }, text) => (operator === '!' ? [text(argument)] : []),
  ConditionalExpression: ({ consequent, alternate }, text) => [text(consequent), text(alternate)],
  CallExpression({ callee, arguments: given }, text) {
    const { type, object, property, computed } = callee as Node;
    if (type !== 'MemberExpression' || computed === true) return [];
    const name = text(property);
    const other = others[name];
    const list = (given as readonly Node[]).map(text).join(', ');
    return [
      ...(skipped.test(name) ? [text(object)] : []),
      ...(other === undefined ? [] : [`${text(object)}.${other}(${list})`]),
    ];
  },
  Literal({ value }) {
    if (typeof value === 'boolean') return [String(!value)];
    if (typeof value === 'number') return [String(value + 1)];
    // A text with a blank is for people: its words are tested elsewhere, if at all.
    return typeof value === 'string' && !value.includes(' ') ? [value === '' ? "'x'" : "''"] : [];
  },
};

/** All mutants of a file, in its order. Types, imports and the names of properties stay as they are. */
export function mutantsOf(file: string, code: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const text = (part: unknown): string => code.slice((part as Node).start, (part as Node).end);
  const add = ({ start, end }: Node, all: readonly string[]): void => {
    for (const becomes of all) found.push({ start, end, becomes: ` ${becomes} ` });
  };
  const visit = (value: unknown, key = ''): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, key);
    if (!isNode(value) || isLeftOut(value, key)) return;
    if (value.type === 'SpreadElement') add(value, [key === 'properties' ? '...{}' : '...[]']);
    if (value.type === 'IfStatement') add(value['test'] as Node, ['true', 'false']);
    add(value, rewrites[value.type]?.(value, text) ?? []);
    for (const [name, child] of Object.entries(value)) visit(child, name);
  };
  visit(parseSync(file, code).program);
  const isCode = (each: Mutant): boolean => parseSync(file, mutated(code, each)).errors.length === 0;
  return found.filter(isCode).toSorted((one, other) => one.start - other.start);
}

/** The code with the change. */
export const mutated = (code: string, { start, end, becomes }: Mutant): string =>
  `${code.slice(0, start)}${becomes}${code.slice(end)}`;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const isLeftOut = ({ type }: Node, key: string): boolean =>
  type === 'ImportDeclaration' ||
  key === 'key' ||
  (type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/u.test(type));

/** The change as one line: where, what stood there, and what stands there now. */
export function told(file: string, code: string, { start, end, becomes }: Mutant): string {
  const short = (words: string): string => words.replace(/\s+/gu, ' ').trim().slice(0, 100);
  const line = code.slice(0, start).split('\n').length;
  return `${file}:${line}  ${short(code.slice(start, end))}  ->  ${short(becomes)}`;
}
