import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import type { Recorded } from '../../bugzilla/api/recorded.ts';

/** Where an answer departs from the recorded one. */
export interface Difference {
  /** `scenario` if a step before the play failed. */
  readonly what: 'status' | 'code' | 'type' | 'shape' | 'value' | 'scenario';
  /** Where in the body: `bugs.0.alias`; empty for the whole. */
  readonly path: string;
  readonly recorded: unknown;
  readonly answered: unknown;
}

interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
}

interface Reading {
  readonly version: TrackerVersion;
  /** When it was answered, in epoch milliseconds. */
  readonly now: number;
  readonly isClocked: boolean;
  readonly isShapeOnly: boolean;
}

/**
 * Compares an answer with the recorded one: HTTP status, content type, error code, the shape of the body, and the
 * values where they do not depend on the hour of the recording. Empty when they are the same.
 */
export function differences(
  { response }: Recorded,
  answer: Answer,
  { version, now, isClocked, isShapeOnly }: Reading,
): readonly Difference[] {
  const recordedBody = unwrapped(response.body ?? '');
  const answeredBody = unwrapped(answer.body);
  const found: Difference[] = [];
  if (response.status !== answer.status)
    found.push({ what: 'status', path: '', recorded: response.status, answered: answer.status });
  if (codeOf(recordedBody) !== codeOf(answeredBody)) {
    found.push({ what: 'code', path: 'code', recorded: codeOf(recordedBody), answered: codeOf(answeredBody) });
  }
  const recordedType = response.headers['content-type'] ?? null;
  if (recordedType !== answer.contentType)
    found.push({ what: 'type', path: '', recorded: recordedType, answered: answer.contentType });
  found.push(...shapeDifference(recordedBody, answeredBody));
  // The values of another kind of answer say nothing more.
  if (found.length > 0 || isShapeOnly) return found;
  return valueDifferences(recordedBody, answeredBody, '', (path, recordedValue, answered) =>
    path.endsWith('token')
      ? isSuchToken(recordedValue, answered, now)
      : isSuchTime(version, recordedValue, answered, isClocked),
  );
}

/** JSON that is wrapped in a call, whose names stand in no certain order. */
function unwrapped(body: unknown): unknown {
  const json = typeof body === 'string' ? /^\/\*\*\/cb\((.*)\)$/.exec(body)?.[1] : undefined;
  return json === undefined ? body : { cb: JSON.parse(json) };
}

function shapeDifference(theirs: unknown, ours: unknown): readonly Difference[] {
  const [recorded, answered] = [theirs, ours].map((body) => JSON.stringify(shapeOf(body)));
  return recorded === answered ? [] : [{ what: 'shape', path: '', recorded, answered }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const codeOf = (body: unknown): unknown => (isObject(body) && body['error'] === true ? body['code'] : null);

/**
 * A value's form: its keys in alphabetical order with the form of each, and for lists the different forms of the
 * elements.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((element) => JSON.stringify(shapeOf(element))))].sort();
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, shapeOf(value[key])]),
  );
}

/**
 * No two runs have a token in common, but its form; one for an update begins with the second in which it was given out.
 */
function isSuchToken(recorded: unknown, answered: unknown, now: number): boolean {
  if (typeof recorded !== 'string' || typeof answered !== 'string') return false;
  if (/^\d{10}-[\w-]{43}$/.test(recorded))
    return /^\d{10}-[\w-]{43}$/.test(answered) && answered.startsWith(`${Math.floor(now / 1000)}-`);
  // One from a login begins with the number of the user.
  return recorded.split('-')[0] === answered.split('-')[0] && recorded.length === answered.length;
}

/**
 * Times of the recording's own hour, unless the scenario sets the clock. The servers of the other versions were filled
 * by a script that took some seconds more or less on each.
 */
function isSuchTime(version: TrackerVersion, recorded: unknown, answered: unknown, isClocked: boolean): boolean {
  if (typeof recorded !== 'string' || typeof answered !== 'string') return false;
  if (ownHours[version].test(recorded)) return !isClocked;
  return version !== '5.2' && Math.abs(Date.parse(recorded) - Date.parse(answered)) <= 20_000;
}

const ownHours: Readonly<Record<TrackerVersion, RegExp>> = {
  '5.0': /^2026-11-22T07:2/,
  '5.2': /^2026-11-21T(09:[3-5]|10)/,
  '5.3': /^2026-11-22T07:2/,
  harmony: /^2026-11-22T07:2/,
};

type IsFree = (path: string, recorded: unknown, answered: unknown) => boolean;

function valueDifferences(theirs: unknown, ours: unknown, path: string, free: IsFree): readonly Difference[] {
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    const [left, right] = [sorted(path, theirs), sorted(path, ours)];
    return left.flatMap((element, index) => valueDifferences(element, right[index], below(path, index), free));
  }
  if (isObject(theirs) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return keys.flatMap((key) => valueDifferences(theirs[key], ours[key], below(path, key), free));
  }
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return [];
  if (free(path, theirs, ours)) return [];
  return [{ what: 'value', path, recorded: theirs, answered: ours }];
}

const below = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

/** Lists that the server puts in the order of its hash tables, which no two runs have in common. */
function sorted(path: string, list: readonly unknown[]): readonly unknown[] {
  if (!/(^|\.)changes$|^ids$|^products$|(^|\.)(groups|flags)$/.test(path)) return list;
  return [...list].sort((one, other) => (JSON.stringify(keyOf(one)) < JSON.stringify(keyOf(other)) ? -1 : 1));
}

const keyOf = (element: unknown): unknown =>
  isObject(element)
    ? [element['field_name'] ?? element['name'], element['attachment_id'] ?? null, element['id'] ?? null]
    : element;
