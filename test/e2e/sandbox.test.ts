import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { random } from '../support/random.ts';
import { pause, type Running, start } from './process.ts';

/**
 * The built `bugferry sandbox` as other programs meet it: a hundred clients at once, kills, and a disk without room.
 */
const clients = 100;
const seed = Number(process.env['SEED'] ?? 20261121);

interface Announced {
  readonly url: string;
  readonly users: readonly { readonly login: string; readonly apiKey: string }[];
}

let folder: string;
let running: Running | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-sandbox-'));
});

afterEach(async () => {
  await running?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function begin(): Promise<Announced> {
  running = start(['sandbox', '--port', '0', '--data', folder, '--json']);
  while (!/^\{.*\}$/m.test(running.output())) {
    if (running.child.exitCode !== null) throw new Error(running.output());
    await pause(20);
  }
  return JSON.parse(/^\{.*\}$/m.exec(running.output())?.[0] ?? '');
}

/** Kills it in whatever it does, and answers for the next one. */
async function killed(): Promise<Announced> {
  await running?.end('SIGKILL');
  return begin();
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

const asking =
  ({ url, users }: Announced, name: string): Ask =>
  async (method, path, body) => {
    const key = users.find(({ login }) => login === `${name}@example.test`)?.apiKey ?? '';
    const address = `${url}/rest${path}${path.includes('?') ? '&' : '?'}api_key=${key}`;
    const init =
      body === undefined
        ? { method }
        : { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    const answer = await fetch(address, init);
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };

const filing = (summary: string) => ({
  product: 'Widget',
  component: 'Core',
  version: '1.0',
  summary,
  description: summary,
});

/** The writes that were confirmed to a client: bugs by id, comments and attachments by id, each with its text. */
interface Done {
  readonly bugs: Map<number, string>;
  readonly comments: Map<number, string>;
  readonly attachments: Map<number, string>;
}
const nothing = (): Done => ({ bugs: new Map(), comments: new Map(), attachments: new Map() });

/** One client's day: requests of every kind, each of which has to be answered well. Answers go into `done` at once. */
async function work(ask: Ask, name: string, done: Done): Promise<void> {
  const expectWell = async (asked: Promise<Answer>, status: number): Promise<Answer['body']> => {
    const { status: got, body } = await asked;
    expect([got, body], name).toEqual([status, expect.not.objectContaining({ error: true })]);
    return body;
  };
  const { id } = await expectWell(ask('POST', '/bug', filing(name)), 200);
  done.bugs.set(Number(id), name);
  for (const bug of [Number(id), 1]) {
    const text = `${name} on ${bug}`;
    const comment = await expectWell(ask('POST', `/bug/${bug}/comment`, { comment: text }), 201);
    done.comments.set(Number(comment['id']), text);
  }
  const { bugs } = await expectWell(
    ask('PUT', `/bug/${id}`, { priority: 'High', depends_on: { add: [2] }, comment: { body: name } }),
    200,
  );
  expect(bugs).toMatchObject([{ id, changes: { priority: { added: 'High' } } }]);
  const file = {
    data: Buffer.from(name).toString('base64'),
    file_name: 'a.txt',
    summary: name,
    content_type: 'text/plain',
  };
  const attached = await expectWell(ask('POST', `/bug/${id}/attachment`, file), 201);
  done.attachments.set(Number(Object(attached['ids'])[0]), name);
  expect(await expectWell(ask('GET', `/bug/${id}?include_fields=id,summary,priority`), 200)).toMatchObject({
    bugs: [{ id, summary: name, priority: 'High' }],
  });
  expect(await expectWell(ask('GET', `/bug/${id}/history`), 200)).toMatchObject({ bugs: [{ id }] });
  expect(await expectWell(ask('GET', `/bug?summary=${encodeURIComponent(name)}&include_fields=id`), 200)).toMatchObject(
    { bugs: [{ id }] },
  );
  await expectWell(ask('GET', '/bug?product=Widget&limit=20'), 200);
}

async function expectAll(ask: Ask, done: Done): Promise<void> {
  const { body } = await ask('GET', '/bug?product=Widget&include_fields=id,summary&limit=0');
  const found = new Map(Array.from(Object(body['bugs']), (bug) => [Object(bug).id, Object(bug).summary]));
  for (const [id, summary] of done.bugs) expect([id, found.get(id)]).toEqual([id, summary]);
  const texts: string[] = [];
  for (const id of [1, ...done.bugs.keys()]) {
    const answer = await ask('GET', `/bug/${id}/comment`);
    const comments: readonly { id: number; text: string }[] = Object(answer.body['bugs'])[id].comments;
    texts.push(...comments.map((comment) => comment.text));
    for (const comment of comments)
      if (done.comments.has(comment.id)) expect(comment.text).toBe(done.comments.get(comment.id));
  }
  for (const text of done.comments.values()) expect(texts.filter((each) => each === text)).toEqual([text]);
  for (const [id, name] of done.attachments) {
    const { body: shown } = await ask('GET', `/bug/attachment/${id}?include_fields=data`);
    expect(shown['attachments']).toMatchObject({ [id]: { data: Buffer.from(name).toString('base64') } });
  }
}

test(`${clients} clients at once are all answered, and all that they did is there after a kill`, async () => {
  const first = await begin();
  const done = nothing();
  const people = ['alice', 'bridge', 'bridge-insider', 'admin'];
  await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      work(asking(first, people[index % people.length] ?? ''), `client-${index}.`, done),
    ),
  );
  expect([done.bugs.size, done.comments.size, done.attachments.size]).toEqual([clients, 2 * clients, clients]);
  await expectAll(asking(first, 'alice'), done);
  await expectAll(asking(await killed(), 'alice'), done);
});

test('what was confirmed a moment before a kill is kept', async () => {
  let ask = asking(await begin(), 'alice');
  const writes: readonly (readonly [method: string, path: string, body: unknown, address: string, seen: string])[] = [
    ['POST', '/bug', filing('first'), '/bug/58', 'first'],
    ['POST', '/bug/58/comment', { comment: 'second' }, '/bug/58/comment', 'second'],
    ['PUT', '/bug/58', { whiteboard: 'third' }, '/bug/58', 'third'],
    ['PUT', '/bug/comment/1/tags', { add: ['fourth'] }, '/bug/comment/1', 'fourth'],
  ];
  for (const [method, path, body, address, seen] of writes) {
    expect((await ask(method, path, body)).body).not.toHaveProperty('error');
    ask = asking(await killed(), 'alice');
    expect(JSON.stringify((await ask('GET', address)).body)).toContain(seen);
  }
});

test(`kills at random moments lose nothing that was confirmed (seed ${seed})`, async () => {
  const draw = random(seed);
  const done = nothing();
  let announced = await begin();
  for (let pass = 0; pass < 8; pass += 1) {
    const crowd = Array.from({ length: 20 }, async (_, index) => {
      const ask = asking(announced, 'alice');
      // A client that is cut off got no answer about its running request.
      for (let turn = 0; ; turn += 1) {
        await work(
          async (...request) => {
            try {
              return await ask(...request);
            } catch (cause) {
              throw new CutOff(String(cause));
            }
          },
          `client-${pass}-${index}-${turn}.`,
          done,
        );
      }
    });
    const ends = Promise.allSettled(crowd);
    const enough = done.bugs.size + 8 + draw.below(30);
    while (done.bugs.size < enough) await pause(2);
    announced = await killed();
    for (const end of await ends) expect(end).toEqual({ status: 'rejected', reason: expect.any(CutOff) });
  }
  await expectAll(asking(announced, 'alice'), done);
});

class CutOff extends Error {}

test('a file that cannot grow any more ends it with a word, and nothing is confirmed that is not kept', async () => {
  const { url, users } = await begin();
  await running?.end('SIGTERM');
  const size = readFileSync(join(folder, 'tracker.jsonl')).length;
  const main = resolve(import.meta.dirname, '../../dist/main.js');
  // The shell counts in blocks of 1024 bytes.
  const limited = `ulimit -f ${Math.ceil(size / 1024) + 20}; exec "$@"`;
  const args = [
    '-c',
    limited,
    'bash',
    process.execPath,
    main,
    'sandbox',
    '--port',
    new URL(url).port,
    '--data',
    folder,
    '--json',
  ];
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = new Promise<number | null>((done) => child.on('close', done));
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  while (!output.includes('}')) await pause(20);
  const ask = asking({ url, users }, 'alice');
  const confirmed: string[] = [];
  for (let turn = 0; turn < 1000 && child.exitCode === null; turn += 1) {
    const text = `turn ${turn} ${'x'.repeat(300)}`;
    const { status } = await ask('POST', '/bug/1/comment', { comment: text }).catch(() => ({ status: 0 }));
    if (status !== 201) break;
    confirmed.push(text);
  }
  expect(await ended).toBe(2);
  expect(output).toMatch(/cannot add to the file .*tracker\.jsonl: the file may not grow any more/);
  expect(confirmed.length).toBeGreaterThan(3);
  const { body } = await asking(await begin(), 'alice')('GET', '/bug/1/comment');
  const comments: readonly { text: string }[] = Object(body['bugs'])['1'].comments;
  expect(comments.map(({ text }) => text).filter((text) => text.startsWith('turn '))).toEqual(confirmed);
  expect(existsSync(join(folder, 'tracker.jsonl.new'))).toBe(false);
});
