import { type Case, section } from '../case.ts';
import { at, check, codeOf, either, equal, fails, notOffered, ok, recordAt, sameSet, textAt } from '../judge.ts';
import { samples } from '../samples.ts';
import type { Tracker } from '../tracker.ts';

/** Sections 0, 5, 7, 8 and 9: JSON, who asks, errors and versions. */

const json = section('0');

const basics: readonly Case[] = [
  json('answers are JSON', ['/json'], async (tracker) => {
    const reply = await tracker.main.get(`/bug/${await tracker.scratch()}`);
    check(
      /json/u.test(reply.headers.get('Content-Type') ?? ''),
      'Content-Type',
      'one of JSON',
      reply.headers.get('Content-Type'),
    );
    recordAt(ok(reply));
  }),
  json('request bodies are JSON objects; what is no JSON is refused', ['/json', '7/codes'], async (tracker) => {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await tracker.main.raw('POST', `/bug/${await tracker.scratch()}/comment`, {
      headers,
      body: '{"comment": "x"',
    });
    fails(reply, 400, 32000);
  }),
  json('signs of all languages come back as they were sent, escaped in JSON', ['/json'], async (tracker) => {
    const summary = `Ünïcødé 日本語 🦊 ${tracker.word()}`;
    equal((await tracker.read(await tracker.file({ summary })))['summary'], summary, 'summary');
  }),
  json('a body may hold signs of all languages as UTF-8', ['/json'], async (tracker) => {
    const bug = await tracker.file();
    const body = JSON.stringify({ whiteboard: 'Ünïcødé 日本語', Bugzilla_api_key: tracker.key });
    ok(await tracker.main.raw('PUT', `/bug/${bug}`, { headers: { 'Content-Type': 'application/json' }, body }));
    equal((await tracker.read(bug))['whiteboard'], 'Ünïcødé 日本語', 'whiteboard');
  }),
];

const who = section('5');

const comment = (
  tracker: Tracker,
  bug: number,
  extra: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  tracker.main.raw('POST', `/bug/${bug}/comment`, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ comment: 'Who am I?', ...extra }),
  });

const identity: readonly Case[] = [
  ...(['api_key', 'Bugzilla_api_key'] as const).flatMap((name) => [
    who(`a key in the query, as ${name}`, ['/key-in-query'], async (tracker) => {
      const bug = await tracker.scratch();
      const reply = await tracker.main.raw('GET', `/bug/${bug}`, { query: { [name]: tracker.key } });
      check(textAt(ok(reply), 'bugs', 0, 'update_token') !== '', 'update_token', 'the sign of a login', 'none');
    }),
    who(`a key in the body of a write, as ${name}`, ['/key-in-body'], async (tracker) => {
      ok(await comment(tracker, await tracker.scratch(), { [name]: tracker.key }), [200, 201]);
    }),
  ]),
  who('a key in the header X-BUGZILLA-API-KEY', ['/key-in-header'], async (tracker) => {
    const bug = await tracker.scratch();
    const reply = await tracker.main.raw('GET', `/bug/${bug}`, { headers: { 'X-BUGZILLA-API-KEY': tracker.key } });
    if (codeOf(reply) === 410) return 'the header is ignored, as measured on 5.2';
    const isKnown = at(ok(reply), 'bugs', 0, 'update_token') !== undefined;
    return isKnown ? 'the header is read' : 'the header is ignored, as measured on 5.2';
  }),
  who('a wrong key is refused, also for what is public', ['/key-wrong', '7/codes'], async (tracker) => {
    const reply = await tracker.main.raw('GET', `/bug/${await tracker.scratch()}`, {
      query: { api_key: 'w'.repeat(40) },
    });
    fails(reply, 400, 306);
  }),
  who('an empty key is none', ['/key-wrong'], async (tracker) => {
    const reply = await comment(tracker, await tracker.scratch(), { api_key: '' });
    fails(reply, 401, 410);
  }),
  who('a new bug needs a login', ['/login-required'], async (tracker) => {
    fails(await tracker.anonymous.post('/bug', await tracker.filing()), 401, 410);
  }),
  who('valid_login tells whether a key belongs to a login', ['/valid-login'], async (tracker) => {
    const reply = await tracker.main.get('/valid_login', { login: await tracker.login() });
    if (reply.status === 404) return notOffered('there is no valid_login');
    equal(ok(reply), { result: true }, 'for the key’s own login');
    equal(
      ok(await tracker.main.get('/valid_login', { login: 'nobody@no-such.example.test' })),
      { result: false },
      'for another login',
    );
  }),
  who('anonymous readers see public bugs, or nothing', ['/anonymous'], async (tracker) => {
    const bug = await tracker.scratch();
    const reply = await tracker.anonymous.get(`/bug/${bug}`);
    if (codeOf(reply) === 410) return 'anonymous readers may see nothing';
    equal(at(ok(reply), 'bugs', 0, 'id'), bug, 'id');
  }),
  who(
    'one person’s bug is read by another',
    ['/groups'],
    async (tracker) => {
      const { a } = await samples(tracker);
      equal((await tracker.read(a, {}, tracker.other))['id'], a, 'id');
    },
    ['other'],
  ),
];

const errors = section('7');

const failures: readonly Case[] = [
  errors('an error has error, code and message', ['/shape'], async (tracker) => {
    const body = recordAt((await tracker.main.get(`/bug/no-such-${tracker.run}`)).body);
    equal(
      [body['error'], typeof body['code'], typeof body['message']],
      [true, 'number', 'string'],
      'error, code and message',
    );
    const more = Object.keys(body).filter((key) => !['error', 'code', 'message', 'documentation'].includes(key));
    equal(more, [], 'other keys');
  }),
  errors('a success has no error', ['/shape'], async (tracker) => {
    sameSet(
      Object.keys(recordAt((await tracker.main.get(`/bug/${await tracker.scratch()}`)).body)),
      ['bugs', 'faults'],
      'keys',
    );
  }),
  ...(
    [
      ['GET', '/no-such-resource'],
      ['DELETE', '/bug/1'],
      ['PUT', '/bug'],
      ['GET', '/bug/1/no-such-part'],
    ] as const
  ).map(([method, path]) =>
    errors(`${method} ${path} does not exist`, ['/no-resource', '/codes'], async (tracker) => {
      fails(await tracker.main.raw(method, path), 404, 32614);
    }),
  ),
  errors(
    'keywords that are no object are refused',
    ['/wrong-type'],
    async (tracker) => {
      const [keyword] = (await tracker.vocabulary()).keywords;
      const reply = await tracker.update(await tracker.scratch(), { keywords: [keyword] });
      check(at(reply.body, 'error') === true, 'answer', 'an error', reply.body);
      return either(reply.status, 'status of an inner failure', { spec: 400, measured: 200 });
    },
    ['keywords', 'editor'],
  ),
];

const versions = section('9');

const versioning: readonly Case[] = [
  versions('all paths start with /rest', ['/paths'], async (tracker) => {
    textAt(ok(await tracker.main.get('/version')), 'version');
  }),
  versions('comments have creation_time, the preferred name', ['/time'], async (tracker) => {
    const [first] = await tracker.comments(await tracker.scratch());
    equal(first?.['creation_time'], first?.['time'], 'creation_time');
  }),
  versions('fields that may become tracked are not tracked yet', ['/untracked'], async (tracker) => {
    const bug = await tracker.file();
    const { changes } = await tracker.change(bug, { comment: { body: 'c' }, whiteboard: 'w' });
    equal(Object.keys(changes ?? {}), ['whiteboard'], 'changes');
  }),
];

export const manners: readonly Case[] = [...basics, ...identity, ...failures, ...versioning];
