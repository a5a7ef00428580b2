import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import type { Fault } from './planted-code.ts';

const project = resolve(import.meta.dirname, '../../..');

/** Called at the beginning of each named function of the watched rooms, with its name and what it is given. */
export type OnStep = (step: string, given: readonly unknown[]) => void;

/**
 * Makes a copy of src/ in which each named function below the rooms first says that it is called: to let any of them
 * throw, without a list of them that would grow old.
 * @param faults planted in the copy, too
 */
export function withSteps(
  rooms: readonly string[],
  faults: readonly Fault[] = [],
): { readonly folder: string; readonly remove: () => void } {
  const src = join(project, 'src');
  const folder = join(project, '.planted', randomUUID());
  mkdirSync(folder, { recursive: true });
  for (const room of readdirSync(src)) if (!rooms.includes(room)) symlinkSync(join(src, room), join(folder, room));
  for (const room of rooms)
    for (const name of readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const file = join(room, name);
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const code = readFileSync(join(src, file), 'utf8');
      writeFileSync(join(folder, file), watched(file, faulty(file, code, faults)));
    }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Has the functions of the copy call this; null for nothing. */
export function onStep(listener: OnStep | null): void {
  Object.assign(globalThis, { [hook]: listener });
}

const hook = 'bugferryStep';

const faulty = (name: string, code: string, faults: readonly Fault[]): string =>
  faults
    .filter(({ file }) => file === name)
    .reduce((text, { from, to }) => {
      if (!text.includes(from)) throw new Error(`${name} has no such piece: ${from}`);
      return text.replace(from, to);
    }, code);

function watched(file: string, code: string): string {
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isNode(node)) return;
    const { id, body, init } = node;
    const name = isNode(id) ? `'${file}:${String(id['name'])}'` : '';
    if (node.type === 'FunctionDeclaration' && isNode(body) && mayFail(code.slice(body.start, body.end)))
      inserted.push({ at: body.start + 1, text: ` globalThis.${hook}?.(${name}, [...arguments]);` });
    const isArrow = node.type === 'VariableDeclarator' && isNode(init) && init.type === 'ArrowFunctionExpression';
    if (isArrow && mayFail(code.slice(init.start, init.end))) {
      const wrapper = `${init['async'] === true ? 'async ' : ''}(...given) => (globalThis.${hook}?.(${name}, given), run(...given))`;
      inserted.push({ at: init.start, text: `((run) => ${wrapper})(` }, { at: init.end, text: ')' });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, code).program);
  return inserted
    .sort((one, other) => other.at - one.at)
    .reduce((text, { at, text: piece }) => text.slice(0, at) + piece + text.slice(at), code);
}

/** What calls nothing only compares, and the net itself has nothing below it. */
const mayFail = (code: string): boolean =>
  /\w\(/u.test(code) &&
  !/\b(?:spare|spareAsync|spareOf|spareParts|spareComments|sparing|eachSpared|mapping|mappedOrNone|readRow|rows\.read)\(/u.test(
    code,
  );

/** What something concerns: links by their numbers, bugs and issues. */
function concernedBy(given: unknown, depth = 0): readonly string[] {
  if (typeof given !== 'object' || given === null || depth > 3 || 'clock' in given) return [];
  if (isList(given)) return [...given].flat().flatMap((each) => concernedBy(each, depth + 1));
  const { kind, urgency, id, number, link, operation } = given as Readonly<Record<string, unknown>>;
  if (typeof urgency === 'string' && typeof id === 'number') return [`link ${id}`];
  if (typeof link === 'number') return [`link ${link}`];
  if (kind === 'bug' || kind === 'issue') return [`${kind} ${id ?? number}`];
  return concernedBy(operation ?? link, depth + 1);
}

const isList = (given: object): given is readonly unknown[] | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> =>
  Array.isArray(given) || given instanceof Map || given instanceof Set;

/** Whether an argument has several items: such a step decides of all together, and has no item that it could cost. */
export const isOfMany = (given: readonly unknown[]): boolean =>
  given.some((each) => new Set(concernedBy(each)).size > 1);

/** The one item on which a step works, by all names that it is given; empty if it does not work on one. */
export const itemOf = (given: readonly unknown[]): readonly string[] =>
  isOfMany(given)
    ? []
    : [...new Set(given.filter((each) => !isList(Object(each))).flatMap((each) => concernedBy(each)))];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
