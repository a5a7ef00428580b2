import { isDeepStrictEqual } from 'node:util';
import type { Reply } from './server.ts';

/** The tracker does something else than the interface says. */
export class Differs extends Error {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  constructor(what: string, expected: string, got: string) {
    super(`${what}: expected ${expected}, got ${got}`);
    this.what = what;
    this.expected = expected;
    this.got = got;
  }
}

/** What a case needs is not there, or the keys cannot show it. */
export class NotOffered extends Error {}

export function notOffered(reason: string): never {
  throw new NotOffered(reason);
}

export function differs(what: string, expected: string, got: unknown): never {
  throw new Differs(what, expected, shown(got));
}

export function check(holds: boolean, what: string, expected: string, got: unknown): void {
  if (!holds) differs(what, expected, got);
}

export function equal(got: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(got, expected)) differs(what, shown(expected), got);
}

/** Lists that are the same but for their order. */
export function sameSet(got: unknown, expected: readonly unknown[], what: string): void {
  check(Array.isArray(got), what, shown(expected), got);
  equal(sorted(got), sorted(expected), what);
}

const sorted = (list: unknown): unknown =>
  Array.isArray(list) ? [...list].sort((one, other) => shown(one).localeCompare(shown(other))) : list;

/**
 * For where the interface on paper and the measured Bugzilla 5.2 differ: either is right, and the answer says which it
 * was.
 * @returns a note for the result
 */
export function either(
  got: unknown,
  what: string,
  ways: { readonly spec: unknown; readonly measured: unknown },
): string {
  if (isDeepStrictEqual(got, ways.spec)) return `${what}: as the interface says`;
  if (isDeepStrictEqual(got, ways.measured)) return `${what}: as measured on 5.2`;
  return differs(what, `${shown(ways.spec)} (interface) or ${shown(ways.measured)} (measured)`, got);
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of a JSON value; undefined where the way there ends. */
export function at(value: unknown, ...way: readonly (string | number)[]): unknown {
  let part = value;
  for (const step of way) {
    if (Array.isArray(part) && typeof step === 'number') part = part.at(step);
    else if (isRecord(part)) part = part[String(step)];
    else return undefined;
  }
  return part;
}

export const listAt = (value: unknown, ...way: readonly (string | number)[]): readonly unknown[] => {
  const part = at(value, ...way);
  return Array.isArray(part) ? part : differs(way.join('.'), 'a list', part);
};

export const textAt = (value: unknown, ...way: readonly (string | number)[]): string => {
  const part = at(value, ...way);
  return typeof part === 'string' ? part : differs(way.join('.'), 'a text', part);
};

export const numberAt = (value: unknown, ...way: readonly (string | number)[]): number => {
  const part = at(value, ...way);
  return typeof part === 'number' ? part : differs(way.join('.'), 'a number', part);
};

export const recordAt = (value: unknown, ...way: readonly (string | number)[]): Readonly<Record<string, unknown>> => {
  const part = at(value, ...way);
  return isRecord(part) ? part : differs(way.join('.'), 'an object', part);
};

/** The body of a request that has to work. */
export function ok(reply: Reply, status: number | readonly number[] = 200): unknown {
  const allowed = [status].flat();
  if (allowed.includes(reply.status) && at(reply.body, 'error') === undefined) return reply.body;
  return differs(reply.asked, `${allowed.join(' or ')} without an error`, answerOf(reply));
}

/** The code of an error; some versions give it as a text, which one case looks at. */
export function codeOf({ body }: Reply): number | null {
  const code = at(body, 'code');
  return typeof code === 'number' || (typeof code === 'string' && /^-?\d+$/u.test(code)) ? Number(code) : null;
}

/** Checks that a request is refused, with this HTTP status and one of these codes, and with a whole error body. */
export function fails(reply: Reply, status: number, ...codes: readonly number[]): void {
  const code = codeOf(reply);
  const isRight = reply.status === status && code !== null && codes.includes(code);
  check(isRight, reply.asked, `${status} with code ${codes.join(' or ')}`, answerOf(reply));
  equal(at(reply.body, 'error'), true, `${reply.asked}: error`);
  check(textAt(reply.body, 'message') !== '', `${reply.asked}: message`, 'a text', '');
}

/** Checks that a request is refused somehow, for conditions whose code nobody knows. */
export function isRefused(reply: Reply): void {
  check(at(reply.body, 'error') === true, reply.asked, 'an error', answerOf(reply));
}

/** What an answer was, on one line. */
const answerOf = ({ status, body }: Reply): string =>
  at(body, 'error') === true
    ? `${status} with code ${shown(at(body, 'code'))} "${String(at(body, 'message'))}"`
    : `${status} ${shown(body)}`;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
