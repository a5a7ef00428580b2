import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createdAttachmentsSchema } from '../../../src/bugzilla/api/attachment.ts';
import { bugsSchema } from '../../../src/bugzilla/api/bug.ts';
import { historiesIn } from '../../../src/bugzilla/api/bug-history.ts';
import { commentsIn } from '../../../src/bugzilla/api/comment.ts';
import { decode } from '../../../src/bugzilla/connection/answer.ts';
import { TrackerError, trackerCode } from '../../../src/bugzilla/connection/errors.ts';
import { validLoginSchema } from '../../../src/bugzilla/schema.ts';
import { unwatchedRows } from '../../../src/model/runtime.ts';
import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import { allRecorded, type Recorded, rawAnswer, recorded } from './recorded.ts';
import { errorFamilies, isNarrow, successFamilies } from './recorded-families.ts';

const versions = ['5.0', '5.3', 'harmony'] as const;

function decoded<T>(exchange: Recorded, schema: z.ZodType<T>): T {
  const { request } = exchange;
  const about = `${request.method} ${request.path}`;
  return decode(rawAnswer(exchange), schema, { about, now: null, scrub: (text: string) => text }).body;
}

function kindOf(exchange: Recorded, schema: z.ZodType): string {
  try {
    decoded(exchange, schema);
    return 'read';
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    return failure.kind;
  }
}

const shifted = (code: number): number => (code < 0 ? code + 100_000 : code);

/** What the client has to make of an answer, whatever its version. */
function expected({ request, response: { status, body, headers } }: Recorded): {
  readonly kind: string;
  readonly schema: z.ZodType;
} {
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  const code = isError && 'code' in body ? trackerCode(body.code) : null;
  if (isError) {
    const kind = code === null ? 'unknown-outcome' : errorFamilies.find(([known]) => known === shifted(code))?.[2];
    return { kind: kind ?? otherCodes[code ?? 0] ?? `nothing known of ${code}`, schema: z.unknown() };
  }
  if (status === 404) return { kind: 'refused', schema: z.unknown() };
  if (status === 414) return { kind: 'invalid', schema: z.unknown() };
  if (status === 302) return { kind: 'refused', schema: z.unknown() };
  if (status >= 300 || body === '' || headers['content-type']?.startsWith('text/html'))
    return { kind: 'unknown-outcome', schema: z.unknown() };
  const family = successFamilies.find(({ request: is }) => is.test(`${request.method} ${request.path}`));
  return { kind: 'read', schema: family?.schema ?? z.unknown() };
}

/** Codes that no recording of 5.2 has. */
const otherCodes: Readonly<Record<number, string>> = {
  127: 'invalid',
  135: 'invalid',
  32610: 'invalid',
  32613: 'invalid',
  100302: 'absent',
};

describe.each(versions)('the answers of %s', (version) => {
  test.each(allRecorded(version).filter((exchange) => !isNarrow(exchange)))('$name', (exchange) => {
    const { kind, schema } = expected(exchange);
    expect(kindOf(exchange, schema)).toBe(kind);
  });
});

describe('what versions say in their own way is read as one', () => {
  const of = <T>(version: TrackerVersion, name: string, schema: z.ZodType<T>): T =>
    decoded(recorded(name, version), schema);

  test.each(versions)('%s: a login, an alias, new files, what changed, who was it', (version) => {
    expect(of(version, 'auth_valid_login', validLoginSchema)).toEqual({ result: true });
    expect(of(version, 'get_bug1', bugsSchema).bugs[0]).toMatchObject({ id: 1, alias: [], creator_detail: { id: 2 } });
    expect(of(version, 'attach_create_two', createdAttachmentsSchema)).toEqual([14, 15]);
    const [{ history = [] } = {}] = of(version, 'history_fields', historiesIn(unwatchedRows)).bugs;
    expect(history[0]?.changes.map(({ field_name }) => field_name).toSorted()).toEqual([
      'component',
      'product',
      'target_milestone',
      'version',
    ]);
  });

  test.each(versions)('%s: a comment that is read by its own id', (version) => {
    const id = version === '5.3' ? 200 : 199;
    const text = version === 'harmony' ? 'An edited comment' : 'A comment 🦊 ü\n\n> q';
    expect(of(version, 'comment_edit_after', commentsIn(unwatchedRows)).comments[id]).toMatchObject({ text });
  });

  test('harmony: fields of the history under their names in the interface', () => {
    const [{ history = [] } = {}] = of('harmony', 'update_history_after', historiesIn(unwatchedRows)).bugs;
    const names = history.flatMap(({ changes }) => changes.map(({ field_name }) => field_name));
    expect(names).toEqual(expect.arrayContaining(['status', 'whiteboard', 'depends_on', 'blocks', 'groups']));
    expect(names.filter((name) => /^bug_|^status_|dependson|blocked/.test(name))).toEqual([]);
  });
});
