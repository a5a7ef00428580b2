import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decode } from '../../../src/bugzilla/connection/answer.ts';
import { TrackerError } from '../../../src/bugzilla/connection/errors.ts';
import { allRecorded, type Recorded, rawAnswer } from './recorded.ts';
import { errorFamilies, isNarrow, type SuccessFamily, strangeFamilies, successFamilies } from './recorded-families.ts';

/**
 * Every recorded answer goes through the client's decoder and falls in exactly one family, which says what the client
 * makes of it.
 */

type Verdict =
  | { readonly kind: TrackerError['kind']; readonly code: number | null; readonly status: number | null }
  | { readonly body: unknown };

const context = ({ request }: Recorded) => ({
  about: `${request.method} ${request.path}`,
  now: null,
  scrub: (text: string) => text,
});

function verdictOn(exchange: Recorded, schema: z.ZodType = z.unknown()): Verdict {
  try {
    return { body: decode(rawAnswer(exchange), schema, context(exchange)).body };
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    return { kind: failure.kind, code: failure.code, status: failure.status };
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const codeOf = ({ response: { body } }: Recorded): unknown =>
  isObject(body) && body['error'] === true ? body['code'] : null;
const isSuccessOf = ({ request, status }: SuccessFamily, exchange: Recorded): boolean =>
  codeOf(exchange) === null &&
  !strangeFamilies.some(([, is]) => is(exchange)) &&
  exchange.response.status === status &&
  request.test(`${exchange.request.method} ${exchange.request.path}`);

const all = allRecorded();

/** From 5.2 on, codes below zero are shifted by 100000. */
const unshifted = (code: number): number => (code > 60_000 && code < 100_000 ? code - 100_000 : code);

describe('an error of the tracker', () => {
  test.each(errorFamilies)('with code %i and HTTP %j is of kind %s', (code, statuses, kind) => {
    const family = all.filter((exchange) => codeOf(exchange) === code);
    expect(family.map(({ response }) => response.status)).toSatisfy((seen: number[]) =>
      statuses.every((status) => seen.includes(status)),
    );
    for (const exchange of family) {
      expect(statuses, exchange.name).toContain(exchange.response.status);
      expect(verdictOn(exchange), exchange.name).toEqual({
        kind,
        code: unshifted(code),
        status: exchange.response.status,
      });
    }
  });
});

describe('an answer that is not what was asked for', () => {
  test.each(strangeFamilies)('%s', (_title, is, kind) => {
    const family = all.filter(is);
    expect(family).not.toEqual([]);
    for (const exchange of family) {
      expect(verdictOn(exchange), exchange.name).toEqual({ kind, code: null, status: exchange.response.status });
    }
  });
});

/**
 * What the client makes of a body, said in another way than its schemas say it: times are milliseconds, 0 and 1 are
 * false and true.
 */
function asRead(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => asRead(element, key));
  if (/^(creation_time|last_change_time|time|when|creation_date|modification_date|db_time)$/.test(key))
    return Date.parse(String(value));
  if (key === 'data') return value === null ? null : new Uint8Array(Buffer.from(String(value), 'base64'));
  if (/^is_(private|patch|obsolete)$/.test(key) && !isObject(value)) return Boolean(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['faults', 'comment'].includes(name))
      .map(([name, content]) => [name, asRead(content, name)]),
  );
}

describe('an answer to', () => {
  test.each(successFamilies)(
    '$request with HTTP $status is read as it stands',
    ({ part = (body) => body, ...family }) => {
      const members = all.filter((exchange) => isSuccessOf(family, exchange) && !isNarrow(exchange));
      expect(members).not.toEqual([]);
      for (const exchange of members) {
        const { body } = exchange.response;
        const verdict = verdictOn(exchange, family.schema);
        expect(verdict, exchange.name).toMatchObject({
          body: isObject(body) ? part(Object(asRead(body))) : asRead(body),
        });
        // Columns of the database that a change of a comment's privacy lets out.
        expect(JSON.stringify(verdict), exchange.name).not.toContain('"thetext"');
      }
    },
  );

  test('a read that leaves out what the client needs is not understood', () => {
    const narrow = all.filter(isNarrow).flatMap((exchange) => {
      const family = successFamilies.find((candidate) => isSuccessOf(candidate, exchange));
      return family === undefined || !holdsSomething(exchange.response.body) ? [] : [{ exchange, family }];
    });
    expect(narrow.length).toBeGreaterThan(10);
    for (const { exchange, family } of narrow) {
      expect(verdictOn(exchange, family.schema), exchange.name).toEqual({
        kind: 'unknown-outcome',
        code: null,
        status: 200,
      });
    }
  });
});

/** An empty list lacks nothing. */
const holdsSomething = (body: unknown): boolean =>
  /"(id|text|time|blocks|count|creator|see_also|\w+_time|dupe_of)":/.test(JSON.stringify(body));

test('every recording is in exactly one family', () => {
  const strays = all.flatMap((exchange) => {
    const count =
      errorFamilies.filter(([code]) => code === codeOf(exchange)).length +
      strangeFamilies.filter(([, is]) => is(exchange)).length +
      successFamilies.filter((family) => isSuccessOf(family, exchange)).length;
    return count === 1 ? [] : [`${exchange.name}: ${count}`];
  });
  expect(strays).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(589);
});
