import { type Family, untried } from '../case.ts';
import { outcomeOf } from '../scratch.ts';
import { numberAt, rowsOf, textAt, timeAt, valueAt } from '../value.ts';

const issuesPath = '/issues?state=all&sort=updated&direction=desc&per_page=100';
const used = (headers: Readonly<Record<string, string>>): number => Number(headers['x-ratelimit-used'] ?? Number.NaN);
const yearMs = 365 * 86_400_000;

/** Of an issue, as the bridge reads them. */
const readValues = [
  ...['id', 'node_id', 'number', 'title', 'body', 'state', 'state_reason', 'user.login', 'labels.0.name', 'assignees'],
  ...[
    'milestone',
    'type',
    'locked',
    'comments',
    'html_url',
    'created_at',
    'updated_at',
    'closed_at',
    'closed_by.login',
  ],
  ...['issue_dependencies_summary', 'issue_field_values', 'pull_request'],
];
const wordsAt = (data: unknown, path: string): string => JSON.stringify(valueAt(data, path)) ?? 'nothing';

/** Headers, limits, credentials. */
export const connection: Family = {
  name: 'connection',
  cases: [
    {
      id: 'date-header',
      assumes: 'Every answer has a Date header, which is near our clock.',
      usedIn: ['github/connection/client.ts', 'github/reading/changes.ts'],
      expects: 'within two minutes',
      means: 'Pauses and cursors follow a wrong clock: set the clock of this machine (NTP), and see bugferry check.',
      async observe({ get, port }) {
        const { headers } = await get('');
        const at = Date.parse(headers['date'] ?? '');
        if (Number.isNaN(at)) return 'no Date header';
        const apartMs = Math.abs(at - port.now());
        return apartMs < 120_000 ? 'within two minutes' : `${Math.round(apartMs / 1000)} seconds apart`;
      },
    },
    {
      id: 'rate-headers',
      assumes: 'Answers say how many requests are left in this hour, and when the hour ends.',
      usedIn: ['github/connection/classify-answer.ts'],
      expects: 'limit, remaining, used and reset',
      means:
        'After a limit without these headers, bugferry waits a minute at a time; a server without limits sends none, which is fine.',
      async observe({ get }) {
        const { headers } = await get('');
        const missing = ['limit', 'remaining', 'used', 'reset'].filter(
          (name) => !/^\d+$/u.test(headers[`x-ratelimit-${name}`] ?? ''),
        );
        return missing.length === 0 ? 'limit, remaining, used and reset' : `without ${missing.join(', ')}`;
      },
    },
    {
      id: 'rate-limit-size',
      assumes: 'An account may send at least 5,000 requests an hour.',
      usedIn: ['model/duration.ts'],
      expects: 'at least 5000 requests an hour',
      means: 'The durations that bugferry migrate --dry-run prints are too short, and a migration pauses every hour.',
      async observe({ get }) {
        const limit = Number((await get('')).headers['x-ratelimit-limit'] ?? Number.NaN);
        if (Number.isNaN(limit)) return untried('the server reports no limit');
        return limit >= 5_000 ? 'at least 5000 requests an hour' : `${limit} requests an hour`;
      },
    },
    {
      id: 'not-modified',
      assumes: 'A list that has not changed answers 304 to its ETag.',
      usedIn: ['github/reading/changes.ts'],
      expects: '304',
      means: 'Every poll costs two counted requests: raise schedule.poll if the account comes near its limit.',
      async observe({ get, issue }) {
        await issue('subject');
        return String((await get(issuesPath, { etag: (await get(issuesPath)).headers['etag'] ?? '"none"' })).status);
      },
    },
    {
      id: 'not-modified-is-free',
      assumes: 'Answers with 304 are not counted.',
      usedIn: ['github/reading/changes.ts'],
      expects: 'not counted',
      means:
        'An idle bridge uses up two requests per route and poll: raise schedule.poll if the account comes near its limit.',
      async observe({ get, issue }) {
        await issue('subject');
        const first = await get(issuesPath);
        const etag = first.headers['etag'] ?? '"none"';
        for (let tries = 0; tries < 3; tries += 1) await get(issuesPath, { etag });
        const last = await get(issuesPath, { etag });
        if (last.status !== 304) return untried('the list was not answered with 304');
        const count = used(last.headers) - used(first.headers);
        if (Number.isNaN(count)) return untried('the server does not count requests');
        return count < 4 ? 'not counted' : `${count} counted for 4 answers`;
      },
    },
    {
      id: 'etag-changes',
      assumes: 'The ETag of a list no longer fits once something in it has changed.',
      usedIn: ['github/reading/changes.ts'],
      expects: '200 after a change',
      means: 'Changes are found only by the sweep: set schedule.sweep to minutes, and report this.',
      async observe({ get, issue, patch, title, fresh, settle }) {
        const subject = await issue('subject');
        const { headers } = await get(issuesPath);
        await patch(`/issues/${subject.issue}`, { title: title(fresh('title')) });
        await settle();
        return `${(await get(issuesPath, { etag: headers['etag'] ?? '"none"' })).status} after a change`;
      },
    },
    {
      id: 'not-modified-since',
      assumes:
        'An issue answers 304 as long as it has not changed after the second of its updated_at, and then in full.',
      usedIn: ['github/repository.ts', 'github/reading/shared-look.ts'],
      expects: '304, and 200 after a change',
      means:
        'If 304 does not come, each write costs a read that counts. If it comes after a change, what people change within some seconds before a write may be written over: report this.',
      async observe({ get, patch, newIssue, title, fresh, settle }) {
        const path = `/issues/${(await newIssue()).issue}`;
        const sinceAt = timeAt((await get(path)).data, 'updated_at');
        await settle();
        const before = await get(path, { sinceAt });
        await patch(path, { title: title(fresh('title')) });
        return `${before.status}, and ${(await get(path, { sinceAt })).status} after a change`;
      },
    },
    {
      id: 'api-version',
      assumes: 'The server knows the version 2026-03-10 of the API, or 2022-11-28.',
      usedIn: ['github/connection/client.ts'],
      expects: '2026-03-10',
      fits: /^(?:2026-03-10|2022-11-28|not reported)$/u,
      means: 'Answers may have other forms than bugferry reads: update bugferry before you use this server.',
      observe: async ({ get }) => (await get('')).headers['x-github-api-version-selected'] ?? 'not reported',
    },
    {
      id: 'api-versions-agree',
      assumes: 'Both versions of the API show the values that bugferry reads of an issue alike.',
      usedIn: ['github/connection/version.ts', 'github/map.ts'],
      expects: 'the same values',
      fits: /^(?:the same values|only \S+)$/u,
      means: 'Values may be read wrongly: report this before you use the server.',
      async observe({ get, patch, newIssue, fresh }) {
        const { issue } = await newIssue();
        await patch(`/issues/${issue}`, { labels: [fresh('label')], state: 'closed', state_reason: 'not_planned' });
        const [newer, older] = [
          await get(`/issues/${issue}`, { version: '2026-03-10' }),
          await get(`/issues/${issue}`, { version: '2022-11-28' }),
        ];
        if (newer.taken !== 'answered') return 'only 2022-11-28';
        if (older.taken !== 'answered') return 'only 2026-03-10';
        const other = readValues.filter((path) => wordsAt(newer.data, path) !== wordsAt(older.data, path));
        return other.length === 0 ? 'the same values' : `another ${other.join(', ')}`;
      },
    },
    {
      id: 'api-versions-served',
      assumes: 'The server lists a version of the API that bugferry reads.',
      usedIn: ['github/connection/version.ts'],
      expects: '2026-03-10',
      fits: /^(?:20\d\d-\d\d-\d\d, )*(?:2026-03-10|2022-11-28)(?:, |$)|^no list$/u,
      means: 'Update bugferry before you use this server.',
      async observe({ send }) {
        const answer = await send({ method: 'GET', path: '/versions' });
        return rowsOf(answer.taken === 'answered' ? answer.data : []).join(', ') || 'no list';
      },
    },
    {
      id: 'api-version-ends',
      assumes: 'That version is served for another year.',
      usedIn: ['github/connection/client.ts'],
      expects: 'no end within a year',
      means: 'Update bugferry before that day; after it, requests may be refused.',
      async observe({ get, port }) {
        const { headers } = await get('');
        const endsAt = Date.parse(headers['sunset'] ?? '');
        if (Number.isNaN(endsAt) || endsAt - port.now() > yearMs) return 'no end within a year';
        return `it ends on ${new Date(endsAt).toISOString().slice(0, 10)}`;
      },
    },
    {
      id: 'missing-repository',
      assumes: 'A repository that does not exist answers 404.',
      usedIn: ['github/repository.ts', 'github/connection/classify-answer.ts'],
      expects: 'missing',
      means:
        'A repository that is renamed or hidden is not recognised as such; look at the messages of bugferry status.',
      observe: async ({ send, home, fresh }) =>
        (await send({ method: 'GET', path: `/repos/${home.owner}/${fresh('none').replaceAll(' ', '-')}` })).taken,
    },
    {
      id: 'our-login',
      assumes: 'GET /user names the account that issues of this token have as their author.',
      usedIn: ['github/replica.ts'],
      expects: 'the same login',
      means: 'bugferry does not recognise its own issues and comments by their author; only its markers tell them.',
      async observe({ home, issue, get }) {
        if (home.login === null) return untried('the token has no user');
        const { data } = await get(`/issues/${(await issue('subject')).issue}`);
        return textAt(data, 'user.login') === home.login
          ? 'the same login'
          : `${textAt(data, 'user.login')} instead of ${home.login}`;
      },
    },
    {
      id: 'permissions-of-token',
      assumes: 'The permissions of a repository say what the token may do, not only its user.',
      usedIn: ['github/survey.ts', 'github/imports/importer.ts'],
      expects: 'push, and a label can be made',
      fits: /^(?:push, and a label can be made|no push, and no label can be made)$/u,
      means:
        'bugferry check says that rights suffice although they do not, or the reverse: test the token with this rehearsal.',
      async observe({ home, post, fresh }) {
        if (home.rights === null) return untried('an App is shown no permissions');
        const made = await post('/labels', { name: fresh('label'), color: 'ededed' });
        return `${home.rights.push ? 'push' : 'no push'}, and ${made.taken === 'answered' ? 'a label' : 'no label'} can be made`;
      },
    },
    {
      id: 'scopes-header',
      assumes: 'Only classic tokens have the header x-oauth-scopes.',
      usedIn: ['github/survey.ts'],
      expects: 'as the kind of the token says',
      means: 'bugferry check reads the scopes of the token wrongly; ignore what it says about them.',
      async observe({ get, port }) {
        if (port.tokenKind === 'other') return untried('the kind of the token is not known by its beginning');
        const has = (await get('')).headers['x-oauth-scopes'] !== undefined;
        const should = port.tokenKind === 'classic';
        return has === should
          ? 'as the kind of the token says'
          : `${has ? 'present' : 'absent'} for a ${port.tokenKind} token`;
      },
    },
    {
      id: 'paging-by-link',
      assumes: 'The Link header of a page leads to the next one, which has other rows.',
      usedIn: ['github/connection/paging.ts', 'github/reading/list.ts'],
      expects: 'other rows',
      means:
        'Lists of more than 100 rows are cut, so issues and comments would be missed: report this before you use the server.',
      async observe({ get, issue, send }) {
        await issue('subject');
        await issue('other');
        const first = await get('/issues?state=all&per_page=1');
        const next = /<([^<>]+)>\s*;[^,<]*\brel="next"/u.exec(first.headers['link'] ?? '')?.[1];
        if (next === undefined || !URL.canParse(next)) return 'no next page';
        const { pathname, search } = new URL(next);
        const second = await send({ method: 'GET', path: pathname.replace(/^\/api\/v3(?=\/)/u, '') + search });
        if (second.taken !== 'answered') return outcomeOf(second);
        const [one, other] = [numberAt(first.data, '0.number'), numberAt(second.data, '0.number')];
        return Number.isNaN(other) ? 'no rows' : one === other ? 'the same rows' : 'other rows';
      },
    },
    {
      id: 'last-page',
      assumes: 'The last page of a list has no link to a next one.',
      usedIn: ['github/connection/paging.ts'],
      expects: 'no next page',
      means: 'Each list costs one request more; bugferry still ends, as a page without news ends a list.',
      async observe({ get, issue }) {
        await issue('subject');
        const { headers } = await get('/issues?state=all&per_page=100');
        return /\brel="next"/u.test(headers['link'] ?? '') ? 'a next page' : 'no next page';
      },
    },
    {
      id: 'request-id',
      assumes:
        'Every answer has the header X-GitHub-Request-Id, so that a full page without a link is known to be the last.',
      usedIn: ['github/connection/paging.ts'],
      expects: 'present',
      means: 'A list of exactly a hundred rows costs one request more.',
      observe: async ({ get }) => ((await get('')).headers['x-github-request-id'] === undefined ? 'absent' : 'present'),
    },
    {
      id: 'repository-id',
      assumes: 'A repository has a numeric id and the address of its pages.',
      usedIn: ['github/attachments/branch-store.ts'],
      expects: 'id and html_url',
      means: 'Files cannot be stored: set attachments to link in the route.',
      async observe({ get }) {
        const { data } = await get('');
        const missing = [
          Number.isInteger(valueAt(data, 'id')) ? '' : 'id',
          URL.canParse(textAt(data, 'html_url')) ? '' : 'html_url',
        ];
        return missing.join('') === ''
          ? 'id and html_url'
          : `without ${missing.filter((each) => each !== '').join(' and ')}`;
      },
    },
  ],
};
