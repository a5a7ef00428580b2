import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import type { Story } from '../../src/explain/story.ts';
import type { AdminAction, AdminPort } from '../../src/http/admin-port.ts';
import { serverApp } from '../../src/http/app.ts';
import { historyBeginsAt, historyOf, slotMs } from '../../src/http/live.ts';
import { openNotes } from '../../src/http/notes.ts';
import { homesOf, linked } from '../../src/http/pages/address.ts';
import { agoInWords } from '../../src/http/pages/words.ts';
import { bugId, linkId } from '../../src/model/ids.ts';
import type { Link } from '../../src/model/link.ts';
import type { Conflict } from '../../src/model/plan/operation.ts';
import type { RouteStatus } from '../../src/model/route-status.ts';
import type { Tally } from '../../src/model/store.ts';
import { halfLink, sampleBug, updateOf } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';
import { clock, quietAdminPort } from './admin-port.ts';
import { failing, statusWith } from './status.ts';

const open = {
  token: null,
  githubSecret: null,
  trackerSecret: null,
  scrub,
  failed: () => undefined,
  warned: () => undefined,
  clock,
};
const host = { host: 'localhost' };
const evil = '<script>alert(1)</script>"\'&';
const link: Link = { ...halfLink(12), id: linkId(3), bug: bugId(12) };
const conflict = { link: link.id, field: 'title', tracker: evil, github: 'Plain', kept: null, about: evil } as const;
const skip = { link: link.id, about: evil, reason: evil, needsPerson: true };
const story: Story = { heading: evil, present: [evil], past: [{ at: 0, words: evil }], needsPerson: true };
const line = {
  at: 0,
  route: 'widget',
  link: link.id,
  bug: link.bug,
  issue: null,
  on: 'github',
  outcome: 'applied',
  detail: { of: evil, made: evil },
} as const;

function board(change: Partial<AdminPort> = {}) {
  const actions: AdminAction[] = [];
  const act = async (action: AdminAction) => {
    actions.push(action);
    return `Done: ${evil}`;
  };
  const app = serverApp(quietAdminPort({ act, ...change }), open);
  const get = async (path: string) => {
    const response = await app.request(`http://localhost${path}`, { headers: host });
    return { status: response.status, text: await response.text(), to: response.headers.get('location') };
  };
  const post = (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { origin: 'http://localhost' },
  ) =>
    app.request(`http://localhost${path}`, {
      method: 'POST',
      headers: { ...host, ...headers },
      body: new URLSearchParams(fields),
    });
  const csrf = async () => /name="csrf" value="([^"]+)"/u.exec((await get('/')).text)?.[1] ?? '';
  return { actions, get, post, csrf };
}

const evilLink: Link = { ...link, tracker: { ...sampleBug, summary: evil } };
const evilOperation = updateOf(link.id, 'a key', evil);

const torn = () => [
  statusWith({
    isInStep: false,
    needsPerson: true,
    conflicts: [conflict],
    skips: [skip],
    open: { conflicts: 1, skips: 1 },
  }),
];

test('only the link past the head hides until a key reaches it, and no card does', async () => {
  const setAside = [{ at: 0, sinceAt: 0, link: null, about: 'bug 7', why: evil, advice: evil }];
  const statuses = () => [{ ...statusWith(), ...torn()[0], setAside } as unknown as RouteStatus];
  const { text } = await board({ statuses }).get('/');
  expect(text).toContain('set aside');
  expect(text.match(/<\w+ class="[^"]*\bskip\b[^"]*"/gu)).toEqual(['<a class="skip"']);
});

test('what all routes suffer is said of all of them', async () => {
  const down = failing({ kind: 'later', needsPerson: false, why: 'GitHub answered 502', count: 3 });
  const clockOff = failing({
    of: 'clock',
    kind: 'refused',
    side: null,
    why: 'the clock of this machine is 3 hours off',
  });
  const on = (route: string, ...failures: readonly ReturnType<typeof failing>[]) => statusWith({ route, failures });
  const top = async (...statuses: readonly RouteStatus[]) => {
    const { text } = await board({ statuses: () => statuses }).get('/');
    return /<section class="verdict[\s\S]*?<\/section>/u.exec(text)?.[0].replace(/<[^>]*>/gu, '') ?? '';
  };
  expect(await top(on('a', down), on('b', down), on('c', down))).toContain('Route a and 2 others: Nothing crosses');
  expect(await top(on('a', clockOff), on('b', clockOff))).toContain('Route a and 1 other: The clock');
  expect(await top(on('a', down), on('b'), on('c', failing({ side: 'tracker' })))).toContain('Route a: Nothing');
  expect(await top(on('a', down))).not.toContain('Route a');
});

test('a time that lies in the future, as the clock was set back, is no since', async () => {
  const clockOff = failing({
    of: 'clock',
    kind: 'refused',
    side: null,
    why: 'wrong',
    sinceAt: clock.now() + 7_200_000,
  });
  for (const path of ['/', '/routes/widget']) {
    const { text } = await board({ statuses: () => [statusWith({ failures: [clockOff] })] }).get(path);
    expect(text).not.toContain('in the future');
    expect(text).not.toContain('class="since"');
  }
});

test('the page announces the end of the interface version once for all routes', async () => {
  const plain = statusWith();
  const github = { ...plain.sides.github, retirement: { sinceAt: null, endsAt: Date.UTC(2026, 10, 10) } };
  const status = { ...plain, sides: { ...plain.sides, github } };
  const { text } = await board({ statuses: () => [status, { ...status, route: 'gadget' }] }).get('/');
  expect(text.split('GitHub ends the interface version that bugferry uses on 2026-11-10.')).toHaveLength(2);
});

test.each([
  [3.5 * 86_400_000, /GitHub's token expires on 2026-01-08, in 3 days\. Create a new token/u],
  [-86_400_000, /GitHub's token expired on 2026-01-04\. Create a new token/u],
  [60 * 86_400_000, null],
])('the page says that the token expires %i ms from now, if that is soon', async (inMs, words) => {
  const tokenEndsAt = Date.UTC(2026, 0, 5, 8) + inMs;
  const plain = statusWith();
  const status = { ...plain, sides: { ...plain.sides, github: { ...plain.sides.github, tokenEndsAt } } };
  const { text } = await board({ statuses: () => [status] }).get('/');
  if (words === null) expect(text).not.toContain('Create a new token');
  else expect(text).toMatch(words);
});

test('a conflict names who set each value, if the side reveals it', async () => {
  const ends = { ...link, tracker: { ...sampleBug, url: 'https://bugs.example.test/show_bug.cgi?id=12' } };
  const cards = async (changed: Conflict['changed']) =>
    (
      await board({
        statuses: () => [statusWith({ conflicts: [{ ...conflict, ...(changed && { changed }) }] })],
        link: () => ends,
      }).get('/')
    ).text;
  const text = await cards({ tracker: { by: `alice${evil}`, at: Date.UTC(2026, 8, 23, 8, 50, 12) } });
  expect(text).toContain('by <strong>alice&lt;script&gt;');
  expect(text).toContain('title="2026-09-23 08:50:12 UTC"');
  expect(text).toContain('href="https://bugs.example.test/show_activity.cgi?id=12"');
  for (const unknown of [undefined, {}]) expect(await cards(unknown)).toContain('bug last changed');
});

test('the page estimates when the slowest backlog is done', async () => {
  const behind = statusWith({
    isInStep: false,
    outbox: { planned: 174, sent: 0, parked: 0 },
    catchUpMs: 6 * 3_600_000,
  });
  const { text } = await board({ statuses: () => [behind, statusWith({ route: 'gadget' })] }).get('/');
  expect(text).toContain('done about 06:00 UTC');
  expect((await board({ statuses: () => [statusWith()] }).get('/')).text).not.toContain('about');
});

test.each([
  ['a plan that the brake refused', { refusals: [{ of: 'plan', at: 0, why: '32 of 50 pairs' }] }, 'held back'],
  ['a paused route', { rest: { at: 0, why: null } }, 'held back'],
  ['a route that works', {}, 'next cycle'],
] as const)('the plan of %s says when its writes come', async (_name, change, words) => {
  const operation = updateOf(link.id, 'a key', 'New');
  const { text } = await board({
    statuses: () => [statusWith(change)],
    planned: () => ({ operations: [{ operation, notBeforeAt: null, why: null }], total: 1 }),
  }).get('/routes/widget');
  expect(text).toContain(`<span class="when">${words}</span>`);
});

test('the plan has one line for each pair and side, whatever is to be written there', async () => {
  const update = updateOf(link.id, 'a key', 'New');
  const lock = { kind: 'lock', key: 'lock', link: link.id, about: 'bug 12', on: 'github', act: 'lock' } as const;
  const rows = [update, lock, { ...update, key: 'other', link: linkId(4) }, { ...update, on: 'tracker' as const }];
  const { text } = await board({
    statuses: () => [statusWith()],
    planned: () => ({ operations: rows.map((operation) => ({ operation, notBeforeAt: null, why: null })), total: 4 }),
  }).get('/routes/widget');
  const [, plan = ''] = text.split('<h2 id="plan">');
  const lines = [...plan.matchAll(/href="\/links\/(\d+)">([^<]*)<\/a>, on ([^<]*)</gu)].map(([, ...parts]) => parts);
  expect(lines).toEqual([
    [String(link.id), expect.stringMatching(/^set title .*, lock/u), 'GitHub'],
    ['4', expect.stringMatching(/^set title/u), 'GitHub'],
    [String(link.id), expect.any(String), 'the tracker'],
  ]);
});

describe('text from outside', () => {
  test.each([
    [
      '/',
      {
        statuses: torn,
        latest: () => [{ ...line, kind: 'comment' as const }],
        link: () => ({ ...link, tracker: null }),
      },
    ],
    ['/links/3', { link: () => link, story: () => story, conflictsOf: () => [conflict] }],
    [`/pairs?q=${encodeURIComponent(evil)}`, { statuses: () => [statusWith()] }],
    ['/pairs', { statuses: () => [statusWith()], pairs: () => ({ pairs: [evilLink], next: null }) }],
    [
      '/routes/widget',
      {
        statuses: torn,
        planned: () => ({ operations: [{ operation: evilOperation, notBeforeAt: null, why: evil }], total: 9 }),
      },
    ],
    ['/routes/widget', { statuses: () => [statusWith({ rest: { at: 0, why: evil } })] }],
    ['/', { statuses: () => [statusWith({ rest: { at: 0, why: evil } })] }],
    ['/find?q=bug+5', { whyNot: async () => [evil] }],
  ])('is never markup on %s', async (path, change) => {
    const { text } = await board(change).get(path);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>alert');
    // No attribute ends early, and nothing needs a style or script that the policy forbids.
    expect(text).not.toMatch(/value="[^"]*<|<[^>]+ (?:style|on\w+)=/u);
  });

  test('is shown once after an action, and never taken from the address', async () => {
    const { get, post, csrf } = board({ statuses: torn });
    const response = await post('/resync', { csrf: await csrf(), link: '3', to: '/links/3?x=1' });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/links\/3\?x=1&note=[\w-]{43}$/u),
    ]);
    const there = `/?${new URL(response.headers.get('location') ?? '', 'http://localhost').searchParams}`;
    expect((await get(there)).text).toContain('Done: &lt;script&gt;');
    expect((await get(there)).text).not.toContain('Done:');
    expect((await get('/?note=Send+money')).text).not.toContain('Send money');
  });
});

describe('a stopped route', () => {
  test('is not in step, and says why', async () => {
    const { text } = await board({
      statuses: () => [
        statusWith({ isInStep: false, needsPerson: true, failures: [failing({ why: `Refused: ${evil}` })] }),
      ],
    }).get('/');
    for (const words of ['GitHub refuses the credentials', 'Nothing crosses', 'Refused: &lt;script&gt;', '>failed<'])
      expect(text).toContain(words);
    expect(text).not.toMatch(/in step|goes on by itself/u);
  });
  test('does not ask for a person if the next cycle may succeed', async () => {
    const { text } = await board({
      statuses: () => [
        statusWith({
          isInStep: false,
          failures: [failing({ kind: 'later', why: 'It answered 503', needsPerson: false })],
        }),
      ],
    }).get('/');
    for (const words of [
      'GitHub does not answer',
      'Nothing crosses: the last cycle failed at GitHub: It answered 503.',
      '>failed<',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/in step|needs you|items? need/iu);
  });
});

describe('a page that fails', () => {
  test.each(['/retry', '/decide'])('refuses at %s what is no form', async (path) => {
    const headers = { ...host, origin: 'http://localhost', 'content-type': 'multipart/form-data; boundary=x' };
    const response = await serverApp(quietAdminPort(), open).request(`http://localhost${path}`, {
      method: 'POST',
      headers,
      body: 'broken',
    });
    expect([response.status, await response.text()]).toEqual([400, 'The request contains no form.\n']);
  });
  test('writes its error to the log, and hides it from the client', async () => {
    const events: unknown[] = [];
    const broken = quietAdminPort({
      statuses: () => {
        throw new Error('disk image is malformed');
      },
    });
    const response = await serverApp(broken, { ...open, failed: (error) => events.push(error) }).request(
      'http://localhost/',
      {
        headers: host,
      },
    );
    expect([response.status, await response.text()]).toEqual([
      500,
      'The page cannot be shown now; the log of the bridge says why.\n',
    ]);
    expect(events).toEqual([new Error('disk image is malformed')]);
  });
});

describe('the story of a pair', () => {
  const [bug, issue] = ['https://bugs.example.test/show_bug.cgi?id=12', 'https://github.com/acme/widget/issues/5'];
  const homes = ['https://bugs.example.test/', 'https://github.com/acme/widget/'];
  const rows: readonly (readonly [string, string])[] = [
    [`the issue was opened: ${issue}`, `the issue was opened: <a href="${issue}" rel="noreferrer">acme/widget#5</a>`],
    [
      `a comment was copied: ${bug}#c3 to ${issue}#issuecomment-7`,
      `a comment was copied: <a href="${bug}#c3" rel="noreferrer">comment 3 on bug 12</a> to <a href="${issue}#issuecomment-7" rel="noreferrer">a comment on acme/widget#5</a>`,
    ],
    [`(see ${bug}), and go`, `(see <a href="${bug}" rel="noreferrer">bug 12</a>), and go`],
    [
      'a file was copied: "a.png" to https://github.com/acme/widget/raw/attachments/a.png',
      'a file was copied: &quot;a.png&quot; to <a href="https://github.com/acme/widget/raw/attachments/a.png" rel="noreferrer">https://github.com/acme/widget/raw/attachments/a.png</a>',
    ],
    ['title went to "https://evil.example/widget"', 'title went to &quot;https://evil.example/widget&quot;'],
    ['https://github.com.evil.example/acme/widget/issues/5', 'https://github.com.evil.example/acme/widget/issues/5'],
    [`${issue}"onclick="alert(1)`, `<a href="${issue}" rel="noreferrer">acme/widget#5</a>&quot;onclick=&quot;alert(1)`],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ];
  test.each(rows)('leads to both ends and nowhere else: %s', (words, markup) => {
    expect(String(html`${linked(words, homes)}`)).toBe(markup);
  });
  test('links to both ends', () => {
    const [tracker, github] = [{ url: bug }, { url: issue }];
    const pair = Object.assign({ ...link }, { tracker, github });
    expect(homesOf(pair)).toEqual(homes);
    expect(homesOf({ ...link, tracker: null, github: null })).toEqual([]);
  });
});

describe('a form', () => {
  const fields = {
    link: '3',
    field: 'title',
    tracker: '"a"',
    github: 'null',
    keep: 'github',
    route: 'widget',
    numbers: '7,12',
    to: '/',
  };

  test.each<[string, AdminAction]>([
    [
      '/decide',
      { kind: 'decide', conflict: { link: linkId(3), field: 'title', tracker: 'a', github: null }, keep: 'github' },
    ],
    ['/retry', { kind: 'retry', route: 'widget', numbers: [7, 12] }],
    ['/resync', { kind: 'resync', link: linkId(3) }],
  ])('asks at %s for what stands in it', async (path, action) => {
    const { actions, post, csrf } = board({ statuses: torn });
    expect((await post(path, { ...fields, csrf: await csrf() })).status).toBe(303);
    expect(actions).toEqual([action]);
  });

  test('works through an HTTPS proxy', async () => {
    const { actions, post, csrf } = board({ statuses: torn });
    const headers = { origin: 'https://bridge.example.org', 'sec-fetch-site': 'same-origin' };
    expect((await post('/retry', { ...fields, csrf: await csrf() }, headers)).status).toBe(303);
    expect(actions).toHaveLength(1);
  });

  test('that is too large is not read', async () => {
    const { actions, post, csrf } = board({ statuses: torn });
    expect((await post('/retry', { ...fields, csrf: await csrf(), more: 'x'.repeat(200_000) })).status).toBe(413);
    expect(actions).toEqual([]);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the seal', { csrf: '' }, { origin: 'http://localhost' }],
    ['with a made-up seal', { csrf: 'x' }, { origin: 'http://localhost' }],
    ['from another site', {}, { origin: 'https://evil.example' }],
    ['that does not say where it is from', {}, {}],
  ])('%s does nothing', async (_name, change, headers) => {
    const { actions, post, csrf } = board({ statuses: torn });
    expect((await post('/decide', { ...fields, csrf: await csrf(), ...change }, headers)).status).toBe(403);
    expect(actions).toEqual([]);
  });

  test.each([
    ['/decide', { field: 'password' }],
    ['/decide', { keep: 'both' }],
    ['/decide', { tracker: '{"a":1}' }],
    ['/decide', { github: 'no json' }],
    ['/retry', { numbers: '-1' }],
    ['/retry', { numbers: '1,' }],
    ['/resync', { link: '1e9' }],
    ['/force', { of: 'everything' }],
  ])('at %s that makes no sense does nothing: %o', async (path, change) => {
    const { actions, post, csrf } = board({ statuses: torn });
    expect((await post(path, { ...fields, csrf: await csrf(), ...change })).status).toBe(303);
    expect(actions).toEqual([]);
  });

  test.each<[string, Record<string, string>, AdminAction]>([
    ['/run', {}, { kind: 'run' }],
    ['/pause', { route: 'widget', why: ' it moves ' }, { kind: 'pause', route: 'widget', why: 'it moves' }],
    ['/pause', { route: 'widget', why: '' }, { kind: 'pause', route: 'widget', why: null }],
    ['/resume', { route: 'widget' }, { kind: 'resume', route: 'widget' }],
    [
      '/force',
      { route: 'widget', of: 'plan', why: 'too much' },
      { kind: 'force', route: 'widget', of: 'plan', why: 'too much' },
    ],
  ])('at %s asks for what it says: %o', async (path, asked, action) => {
    const { actions, post, csrf } = board({ statuses: torn });
    expect((await post(path, { ...asked, csrf: 'made up' })).status).toBe(403);
    expect((await post(path, { ...asked, csrf: await csrf() }, { origin: 'https://evil.example' })).status).toBe(403);
    expect(actions).toEqual([]);
    await post(path, { ...asked, csrf: await csrf() });
    expect(actions).toEqual([action]);
  });

  test('never redirects to another host', async () => {
    const { post, csrf } = board({ statuses: torn });
    const response = await post('/resync', { csrf: await csrf(), link: '3', to: 'https://evil.example/x' });
    expect(response.headers.get('location')).toMatch(/^\/x\?note=/u);
  });
});

describe('finding', () => {
  test.each(['bug 12', '12', 'https://bugs.example.test/show_bug.cgi?id=12'])(
    '%s leads to the story',
    async (query) => {
      const find: AdminPort['find'] = (target) => (target.kind === 'bug' && target.id === 12 ? link : null);
      expect(await board({ find }).get(`/find?q=${encodeURIComponent(query)}`)).toMatchObject({
        status: 302,
        to: '/links/3',
      });
    },
  );
  test.each<[string, number]>([['bug 99', 404]])('"%s" says what to do', async (query, status) => {
    const answer = await board({ whyNot: async () => ['no route takes it'] }).get(
      `/find?q=${encodeURIComponent(query)}`,
    );
    expect(answer.status).toBe(status);
  });
  test('searches titles for words', async () => {
    const answer = await board({ statuses: () => [statusWith()] }).get('/find?q=the+blue+one');
    expect(answer).toMatchObject({ status: 302, to: '/pairs?route=widget&q=the+blue+one' });
  });
  test('a list continues where it ended, with its filter and search words', async () => {
    const asked: unknown[] = [];
    const pairs: AdminPort['pairs'] = (query) => {
      asked.push(query);
      return { pairs: [link], next: linkId(3) };
    };
    const { text } = await board({ statuses: () => [statusWith()], pairs }).get(
      '/pairs?route=widget&show=frozen&q=lid&before=9',
    );
    expect(asked).toEqual([{ route: 'widget', filter: 'frozen', words: 'lid', before: 9 }]);
    expect(text).toContain('href="/pairs?route=widget&amp;show=frozen&amp;q=lid&amp;before=3"');
  });
  test('reports an unknown route', async () => {
    expect(await board({ statuses: () => [statusWith()] }).get('/routes/gadget')).toMatchObject({ status: 404 });
  });
  test.each(['/nope', '/links/three', '/routes/', '/routes/widget/plan', '/pairs/3', '/index.html', '/decide'])(
    'answers %s, which does not exist, with a page that leads back',
    async (path) => {
      const { status, text } = await board({ statuses: () => [statusWith()] }).get(path);
      expect(status).toBe(404);
      expect(text).toContain('<h1>There is no such page</h1>');
      expect(text).toContain('<a href="/">All routes</a>');
    },
  );
  test('reports a deleted pair', async () => {
    expect(await board().get('/links/3')).toMatchObject({
      status: 404,
      text: expect.stringContaining('There is no such pair'),
    });
  });
});

describe('the last day', () => {
  const now = 1_000 * slotMs + 5;
  const tally = (slot: number, on: Tally['on'], kind: Tally['kind'], count: number): Tally => ({
    slotAt: slot * slotMs,
    on,
    kind,
    count,
  });

  test('has 144 slots, counts each side apart, and what was created an hour ago is free again', () => {
    const tallies = [
      tally(990, 'github', 'comment', 4),
      tally(990, 'tracker', 'update', 2),
      tally(991, 'github', 'update', 9),
      tally(1_000, 'github', 'create', 1),
    ];
    const { at, tracker, github, budgetLeft } = historyOf(tallies, now, 120);
    expect([at.length, at[0], at.at(-1)]).toEqual([144, (857 * slotMs) / 1000, (1_000 * slotMs) / 1000]);
    const slot = (values: readonly number[] | null, number: number) => values?.[number - 857];
    expect([slot(tracker, 990), slot(github, 990), slot(github, 991), slot(github, 1_000)]).toEqual([2, 4, 9, 1]);
    expect([989, 990, 995, 996, 1_000].map((number) => slot(budgetLeft, number))).toEqual([120, 116, 116, 120, 119]);
  });

  test('counts for its first slot what was created in the hour before', () => {
    expect(historyBeginsAt(now)).toBe(851 * slotMs);
    const [first] = historyOf([tally(852, 'github', 'create', 5)], now, 120).budgetLeft ?? [];
    expect(first).toBe(115);
  });

  test('has no budget where there is no limit', () => {
    expect(historyOf([], now, null).budgetLeft).toBeNull();
  });
});

test('the oldest notes are dropped first', () => {
  const notes = openNotes();
  const names = Array.from({ length: 101 }, (_, index) => notes.keep(`note ${index}`));
  expect([notes.take(names[0]), notes.take(names[100]), notes.take(names[100]), notes.take(undefined)]).toEqual([
    null,
    'note 100',
    null,
    null,
  ]);
});

test.each([
  [null, 'never'],
  [0, 'just now'],
  // The clock of a side may be a minute ahead of ours.
  [-56_000, 'just now'],
  [-7_200_000, '2 h in the future'],
  [89_000, '89 s ago'],
  [90_000, '2 min ago'],
  [7_200_000, '2 h ago'],
  [200_000_000, '2 days ago'],
])('%s ms ago in words', (ms, words) => {
  expect(agoInWords(ms === null ? null : 500_000_000 - ms, 500_000_000)).toBe(words);
});
