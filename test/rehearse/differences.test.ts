import { describe, expect, test } from 'vitest';
import type { Passing, Plant } from './stage.ts';
import { openStage } from './stage.ts';

/** Rewrites the text of answers to requests that fit. */
const where =
  (
    isMeant: (passing: Passing, response: Response) => boolean,
    change: (text: string) => string,
    status?: number,
  ): Plant =>
  async (passing, response) => {
    if (!isMeant(passing, response) || response.status === 204 || response.status === 304) return response;
    return new Response(change(await response.text()), {
      status: status ?? response.status,
      headers: response.headers,
    });
  };

const header =
  (name: string, value: string): Plant =>
  async (_passing, response) => {
    const headers = new Headers(response.headers);
    headers.set(name, value);
    return new Response(response.status === 304 || response.status === 204 ? null : await response.text(), {
      status: response.status,
      headers,
    });
  };

const refusedWith = (flaw: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ message: 'Validation Failed', errors: [flaw] });

interface Difference {
  readonly id: string;
  readonly server: string;
  readonly plant: () => Plant;
  readonly seen: string;
}

/** Servers that differ as a real one might, at least one for each family. */
const differences: readonly Difference[] = [
  {
    id: 'not-modified-is-free',
    server: 'counts answers with 304',
    plant() {
      let used = 0;
      return async (passing, response) => {
        used += 1;
        return header('x-ratelimit-used', String(used))(passing, response);
      };
    },
    seen: '4 counted for 4 answers',
  },
  {
    id: 'api-version-ends',
    server: 'ends the version',
    plant: () => header('sunset', 'Fri, 10 Mar 2027 00:00:00 GMT'),
    seen: 'it ends on 2027-03-10',
  },
  {
    id: 'permissions-of-token',
    server: 'shows the rights of the user, and not of the token',
    plant: () =>
      where(
        ({ method, path }) => method === 'POST' && path.endsWith('/labels'),
        () => '{"message":"Resource not accessible"}',
        403,
      ),
    seen: 'push, and no label can be made',
  },
  {
    id: 'read-after-creation',
    server: 'answers 404 just after a creation',
    plant: () =>
      where(
        ({ method, path }) => method === 'GET' && /\/issues\/\d+$/u.test(path),
        () => '{"message":"Not Found"}',
        404,
      ),
    seen: '404',
  },
  {
    id: 'write-after-creation',
    server: 'says "later" in other words',
    plant: () =>
      where(
        ({ path }) => path.endsWith('/comments'),
        () => refusedWith({ resource: 'IssueComment', code: 'custom', field: 'base', message: 'is busy' }),
        422,
      ),
    seen: '422: Validation Failed, IssueComment, base, custom, is busy',
  },
  {
    id: 'list-shows-edit',
    server: 'lags for 100 seconds',
    plant() {
      const begun = { at: 0, requests: 0 };
      return async (passing, response) => {
        begun.requests += 1;
        return begun.requests < 20
          ? where(
              ({ path }) => path.includes('sort=updated'),
              () => '[]',
            )(passing, response)
          : response;
      };
    },
    seen: 'after',
  },
  {
    id: 'minimize-stays',
    server: 'moves the time of an issue when a comment is minimized',
    plant() {
      let isMinimized = false;
      return async (passing, response) => {
        isMinimized ||= passing.body.includes('minimizeComment');
        return isMinimized
          ? where(
              ({ method }) => method === 'GET',
              (text) => text.replace(/"updated_at":"[^"]+"/gu, '"updated_at":"2026-12-24T00:00:00Z"'),
            )(passing, response)
          : response;
      };
    },
    seen: 'moves',
  },
  {
    id: 'title-moves',
    server: 'keeps the time of an issue with a new title',
    plant: () =>
      where(
        ({ method }) => method === 'GET',
        (text) => text.replace(/"updated_at":"[^"]+"/gu, '"updated_at":"2026-11-01T00:00:00Z"'),
      ),
    seen: 'stays',
  },
  {
    id: 'body-of-emoji',
    server: 'counts UTF-16',
    plant: () =>
      where(
        ({ method }) => method === 'PATCH',
        () => refusedWith({ resource: 'Issue', code: 'custom', field: 'body', message: 'body is too long' }),
        422,
      ),
    seen: '422: Validation Failed, Issue, body, custom, body is too long',
  },
  {
    id: 'assignee-unknown',
    server: 'refuses people in words that do not name assignees',
    plant: () =>
      where(
        ({ method }) => method === 'PATCH',
        () => refusedWith({ resource: 'Issue', code: 'invalid', field: 'users', value: 'nobody' }),
        422,
      ),
    seen: '422: Validation Failed, Issue, users, invalid, nobody',
  },
  {
    id: 'label-in-any-case',
    server: 'tells labels apart by case',
    plant: () =>
      where(
        ({ method }) => method === 'PATCH',
        (text) => text.replace(/"name":"rehearsal label/gu, '"name":"REHEARSAL LABEL'),
      ),
    seen: 'REHEARSAL LABEL',
  },
  {
    id: 'type-unknown',
    server: 'names types otherwise',
    plant: () =>
      where(
        (_passing, { status }) => status === 422,
        (text) => text.replaceAll('"type"', '"kind"'),
        422,
      ),
    seen: '422: Validation Failed, Issue, kind, invalid',
  },
  {
    id: 'reason-needs-change',
    server: 'changes the reason of a closed issue',
    plant: () =>
      where(
        ({ method }) => method === 'GET',
        (text) => text.replaceAll('"not_planned"', '"completed"'),
      ),
    seen: 'closed, completed',
  },
  {
    id: 'dependency-counted',
    server: 'shows no summary of dependencies',
    plant: () =>
      where(
        () => true,
        (text) => text.replaceAll('issue_dependencies_summary', 'summary'),
      ),
    seen: 'undefined, then undefined',
  },
  {
    id: 'minimize',
    server: 'shows another reason',
    plant: () =>
      where(
        ({ method }) => method === 'GET',
        (text) => text.replaceAll('"outdated"', '"resolved"'),
      ),
    seen: 'resolved',
  },
  {
    id: 'partial-answer',
    server: 'fails as a whole',
    plant: () =>
      where(
        ({ body }) => body.includes('gone: issue'),
        () => '{"data":null,"errors":[{"type":"NOT_FOUND","message":"Could not resolve"}]}',
      ),
    seen: 'none found, none null, status 200',
  },
  {
    id: 'asset',
    server: 'renames files',
    plant: () =>
      where(
        ({ path }) => path.includes('/assets?'),
        (text) => text.replaceAll('-crash_log', '-crash.log'),
      ),
    seen: '-crash.log.1.txt',
  },
  {
    id: 'import-ends',
    server: 'has another word for an import that ended',
    plant: () =>
      where(
        ({ path }) => path.includes('/import/'),
        (text) => text.replaceAll('"imported"', '"complete"'),
      ),
    seen: 'complete, with an address',
  },
  {
    id: 'import-refused',
    server: 'refuses an unknown assignee at once',
    plant: () =>
      where(
        ({ method, path }) => method === 'POST' && path.includes('/import/'),
        () => refusedWith({ resource: 'Issue', code: 'invalid', field: 'assignee' }),
        422,
      ),
    seen: '422 about assignees: Validation Failed, Issue, assignee, invalid',
  },
  {
    id: 'deleted-issue',
    server: 'redirects from a deleted issue',
    plant: () =>
      where(
        (_passing, { status }) => status === 410,
        () => '{"message":"Moved Permanently"}',
        301,
      ),
    seen: 'moved',
  },
  {
    id: 'edit-of-transferred-issue',
    server: 'carries out the edit of a transferred issue',
    plant: () =>
      where(
        ({ method }) => method === 'PATCH',
        () => '{}',
        200,
      ),
    seen: 'answered, and unchanged there',
  },
];

describe('a server that', () => {
  test.each(differences.map((each) => [each.server, each] as const))(
    '%s is found out',
    async (_server, { id, plant, seen }) => {
      const stage = openStage();
      const change = plant();
      stage.plant = (passing, response) => (passing.id === id ? change(passing, response) : response);
      const [result] = await stage.try(id);
      expect(result).toMatchObject({ id, verdict: 'differs', seen: expect.stringContaining(seen) });
      expect(result?.means?.length).toBeGreaterThan(20);
    },
  );

  test('differs in one respect is told in that respect only', async () => {
    const stage = openStage();
    stage.plant = where(
      ({ method, id }) => method === 'PATCH' && id === 'label-unknown',
      () => refusedWith({ resource: 'X', code: 'custom', field: 'base' }),
      422,
    );
    const { cases } = await stage.run();
    expect(cases.filter(({ verdict }) => verdict === 'differs').map(({ id }) => id)).toEqual(['label-unknown']);
  });
});
