import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tablesOf } from '../../src/sandbox/journal/changed-rows.ts';
import { type Journal, openJournal } from '../../src/sandbox/journal/journal.ts';
import { notKept } from '../../src/sandbox/journal/kept-tracker.ts';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import type { TrackerState } from '../../src/sandbox/tracker/world/state.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { read } from '../docs/documents.ts';
import { random } from '../support/random.ts';

let folder: string;
let file: string;
const open: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-journal-'));
  file = join(folder, 'tracker.jsonl');
});

afterEach(() => {
  for (const journal of open.splice(0)) journal.close();
  rmSync(folder, { recursive: true, force: true });
});

function journalOf(state: object, ignored: readonly string[] = [], fill: () => void = () => {}): Journal {
  const journal = openJournal({ file, state, ignored, fill });
  open.push(journal);
  return journal;
}

const lines = (): readonly string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

/** A state of every kind of table. */
interface Toy {
  readonly rows: Map<number | string, { readonly text: string }>;
  readonly threads: Map<number, readonly { readonly text: string }[]>;
  readonly people: { readonly name: string }[];
  events: readonly { readonly name: string }[];
  settings: { isOpen: boolean; limit?: number };
  next: number;
  readonly now: () => number;
}

const toy = (): Toy => ({
  rows: new Map(),
  threads: new Map(),
  people: [],
  events: [],
  settings: { isOpen: true },
  next: 1,
  now: () => 0,
});
const journalOfToy = (state: Toy): Journal => journalOf(state, ['now']);

/** The state that another process finds. */
function reopened(): Toy {
  const state = toy();
  journalOfToy(state);
  return state;
}

const plain = ({ now: _, ...tables }: Toy): unknown => ({
  ...tables,
  rows: new Map(tables.rows),
  threads: new Map(tables.threads),
});

type Action = readonly [name: string, act: (state: Toy) => void, rows: number];

const row = (text: string) => ({ text });
const actions: readonly Action[] = [
  ['a new row', (state) => state.rows.set(3, row('c')), 1],
  ['a row of a text key', (state) => state.rows.set('3', row('other')), 1],
  ['a replaced row', (state) => state.rows.set(1, row('A')), 1],
  ['a row put back as it was', (state) => state.rows.set(1, row('x')).set(1, kept), 0],
  ['a row taken away', (state) => state.rows.delete(1), 1],
  ['a row that never was', (state) => state.rows.delete(99), 0],
  ['all rows taken away', (state) => state.rows.clear(), 2],
  ['a new thread', (state) => state.threads.set(2, [row('d')]), 1],
  ['one more element in a thread', (state) => state.threads.set(1, [...(state.threads.get(1) ?? []), row('e')]), 1],
  ['an element put in between', (state) => state.threads.set(1, [row('first'), ...(state.threads.get(1) ?? [])]), 3],
  ['a shorter thread', (state) => state.threads.set(1, (state.threads.get(1) ?? []).slice(0, 1)), 1],
  ['an empty thread', (state) => state.threads.set(1, []), 1],
  ['a thread that was empty', (state) => state.threads.set(7, [row('f')]), 1],
  ['an element pushed onto a list', (state) => state.people.push({ name: 'carol' }), 1],
  ['an element of a list exchanged in its place', (state) => state.people.splice(0, 1, { name: 'eve' }), 1],
  ['an element taken out of the middle', (state) => state.people.splice(0, 1), 2],
  ['a list put in the place of another', (state) => (state.events = [...state.events, { name: 'mail' }]), 1],
  ['an emptied list', (state) => (state.events = []), 1],
  ['a counter', (state) => (state.next += 1), 1],
  ['a setting changed in its place', (state) => (state.settings.isOpen = false), 1],
  ['nothing', () => {}, 0],
];
const kept = row('a');

function filledToy(): Toy {
  const state = toy();
  state.rows.set(1, kept).set(2, row('b'));
  state.threads.set(1, [row('one'), row('two')]).set(7, []);
  state.people.push({ name: 'alice' }, { name: 'bob' });
  state.events = [{ name: 'start' }];
  return state;
}

describe('the journal', () => {
  test.each(actions)('keeps %s, in no more rows than it takes', (_name, act, rows) => {
    const state = filledToy();
    const journal = journalOfToy(state);
    const before = lines().length;
    act(state);
    journal.write();
    const added = lines().slice(before);
    expect(added.length).toBe(rows === 0 ? 0 : 1);
    expect(added.flatMap((line) => JSON.parse(line)).length).toBe(rows);
    expect(plain(reopened())).toEqual(plain(state));
  });

  test('writes nothing twice', () => {
    const state = filledToy();
    const journal = journalOfToy(state);
    for (const [, act] of actions) act(state);
    journal.write();
    const text = lines();
    journal.write();
    expect(lines()).toEqual(text);
  });

  test.each([1, 2, 3])('holds the state after any number of changes and starts (seed %i)', (seed) => {
    const draw = random(seed);
    let state = filledToy();
    let journal = journalOfToy(state);
    for (let step = 0; step < 200; step += 1) {
      const [, act] = draw.pick(actions);
      act(state);
      if (draw.chance(0.7)) journal.write();
      if (!draw.chance(0.1)) continue;
      journal.write();
      const before = plain(state);
      state = toy();
      journal = journalOfToy(state);
      expect(plain(state)).toEqual(before);
    }
  });

  test('is rewritten at the start without what was overtaken, and by a whole new file', () => {
    const state = filledToy();
    const journal = journalOfToy(state);
    const atFirst = readFileSync(file, 'utf8');
    for (let turn = 0; turn < 50; turn += 1) {
      state.rows.set(1, row(`round ${turn}`));
      journal.write();
    }
    state.rows.set(1, kept);
    journal.write();
    expect(lines().length).toBe(atFirst.trimEnd().split('\n').length + 51);
    reopened();
    expect(readFileSync(file, 'utf8')).toBe(atFirst);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  test('fills a state only when there is no file, even when all was deleted', () => {
    const state = toy();
    const first = journalOf(state, ['now'], () => state.rows.set(1, kept));
    expect([first.isNew, state.rows.size]).toEqual([true, 1]);
    state.rows.clear();
    first.write();
    const next = toy();
    expect(journalOf(next, ['now'], () => next.rows.set(1, kept)).isNew).toBe(false);
    expect(next.rows.size).toBe(0);
  });

  test('keeps the defaults of tables and settings that the file does not know', () => {
    const { events: _, ...older } = filledToy();
    journalOf(older, ['now']);
    const newer = {
      ...toy(),
      rows: new Map([[42, row('default')]]),
      events: [{ name: 'default' }],
      settings: { isOpen: false, limit: 7 },
    };
    journalOf(newer, ['now']);
    expect(new Map(newer.rows)).toEqual(new Map(filledToy().rows));
    expect(newer).toMatchObject({
      events: [{ name: 'default' }],
      settings: { isOpen: true, limit: 7 },
      people: filledToy().people,
    });
  });

  test('of which the last write was cut off holds all before it, wherever the cut was', () => {
    const state = filledToy();
    journalOfToy(state);
    const journal = journalOfToy(state);
    const before = plain(state);
    const lengthBefore = readFileSync(file).length;
    state.rows.set(5, row('five ë'));
    state.next += 1;
    journal.write();
    const whole = readFileSync(file);
    for (let length = lengthBefore; length < whole.length; length += 1) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      const found = toy();
      expect(journalOfToy(found).droppedBytes).toBe(length - lengthBefore);
      expect(plain(found)).toEqual(before);
    }
    writeFileSync(file, whole);
    expect(plain(reopened())).toEqual(plain(state));
  });

  test.each([
    ['text', 'hello'],
    ['a torn row in the middle', '[{"table":"rows","key":1,"ro'],
    ['no list', '{"table":"next","row":3}'],
    ['no row', '[{"table":"rows","key":1}]'],
    ['an unknown table', '[{"table":"bogus","row":1}]'],
    ['a key of a list', '[{"table":"people","key":1,"row":{}}]'],
    ['a row without its key', '[{"table":"rows","row":{}}]'],
    ['a gap in a list', '[{"table":"people","index":9,"row":{}}]'],
    ['an element of a thread that is not there', '[{"table":"threads","key":42,"index":0,"row":{}}]'],
    ['a place before the first', '[{"table":"people","index":-1,"row":{}}]'],
  ])('is refused with the number of a damaged line: %s', (_name, line) => {
    journalOfToy(filledToy());
    const count = lines().length;
    appendFileSync(file, `${line}\n[{"table":"next","row":9}]\n`);
    const text = readFileSync(file, 'utf8');
    expect(() => reopened()).toThrow(`Line ${count + 1} of ${file} is damaged`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([
    ['nothing', ''],
    ['other JSON', '{"a":1}\n'],
    ['text', 'hello\nworld\n'],
    ['a later format', '{"format":"bugferry sandbox tracker 2","tables":{}}\n'],
  ])('leaves a file alone that holds %s', (_name, text) => {
    writeFileSync(file, text);
    expect(() => reopened()).toThrow('does not begin like the data of bugferry sandbox');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('leaves a file alone that holds tables it does not know', () => {
    journalOf({ ...filledToy(), later: new Map() }, ['now']);
    const text = readFileSync(file, 'utf8');
    expect(() => reopened()).toThrow('no map "later"');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([
    ['a function', () => 0],
    ['a set', new Set([1])],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array(2)],
  ])('refuses a state that holds %s and does not say that it is not kept', (_name, value) => {
    expect(() => journalOf({ odd: value })).toThrow('"odd"');
    journalOf({ odd: value }, ['odd']);
  });

  test('does not let a map be exchanged behind its back', () => {
    const state: { rows: Map<number, object> } = { rows: new Map() };
    journalOf(state);
    expect(() => {
      state.rows = new Map();
    }).toThrow(TypeError);
  });
});

const now = Date.UTC(2026, 10, 21, 12);
const newWorld = (): TrackerWorld => createTrackerWorld({ now: () => now, url: 'http://tracker.invalid' });
const keptPart = (state: TrackerState): unknown =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !notKept.some((other) => other === name)));

describe('the tracker’s state', () => {
  test('has only fields that are kept, or named as not kept', () => {
    const source = read('src/sandbox/tracker/world/state.ts');
    const [, body = ''] = /^export interface TrackerState \{$([\s\S]*?)^\}$/mu.exec(source) ?? [];
    const fields = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gmu)].map(([, name]) => name);
    const { state } = newWorld();
    expect(fields.length).toBeGreaterThan(10);
    expect(new Set([...Object.keys(tablesOf(state, notKept)), ...notKept])).toEqual(new Set(fields));
  });

  test('is the same after a restart, whatever was written to it over HTTP', async () => {
    const world = newWorld();
    const journal = journalOf(world.state, notKept, () => loadTrackerWorld(world));
    const app = trackerServer(world);
    const statuses: (readonly [string, number, unknown])[] = [];
    for (const [method, path, body] of writes) {
      const address = `http://tracker.invalid/rest${path}${path.includes('?') ? '&' : '?'}api_key=${world.user('admin').apiKey}`;
      const init =
        body === undefined
          ? { method }
          : { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
      const answer = await app.request(address, init);
      const text = await answer.text();
      statuses.push([`${method} ${path}`, answer.status, text]);
      journal.write();
      const copy = newWorld();
      copyFileSync(file, `${file}.copy`);
      openJournal({ file: `${file}.copy`, state: copy.state, ignored: notKept, fill: () => {} }).close();
      expect(keptPart(copy.state), `${method} ${path}`).toEqual(keptPart(world.state));
    }
    expect(statuses.filter(([, status, text]) => status > 299 || String(text).includes('"error"'))).toEqual([]);
  });
});

/** Writes of every kind, as admin. */
const writes: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', '/bug/1'],
  ['GET', '/bug?product=Widget'],
  [
    'POST',
    '/bug',
    { product: 'Widget', component: 'Core', version: '1.0', summary: 'One', alias: 'one', cc: ['bob@example.test'] },
  ],
  [
    'POST',
    '/bug',
    {
      product: 'Widget',
      component: 'UI',
      version: '1.0',
      summary: 'Two',
      depends_on: [1],
      blocks: [58],
      keywords: ['crash'],
    },
  ],
  ['POST', '/bug/58/comment', { comment: 'Hello ë\u2028', is_private: true }],
  [
    'PUT',
    '/bug/58',
    {
      summary: 'Other',
      status: 'IN_PROGRESS',
      cc: { remove: ['bob@example.test'] },
      see_also: { add: ['https://github.com/a/b/issues/1'] },
    },
  ],
  ['PUT', '/bug/58', { dupe_of: 1 }],
  ['PUT', '/bug/59', { groups: { add: ['security'] }, comment: { body: 'Gone' }, cf_notes: 'a\nb' }],
  ['PUT', '/bug/1', { ids: [1, 2, 3], priority: 'High' }],
  [
    'POST',
    '/bug/58/attachment',
    { data: 'SGVsbG8=', file_name: 'a.txt', summary: 'File', content_type: 'text/plain', comment: 'See' },
  ],
  [
    'PUT',
    '/bug/attachment/1',
    { summary: 'Renamed', is_obsolete: true, comment: 'Old', flags: [{ name: 'review', status: '?' }] },
  ],
  ['PUT', '/bug/58', { flags: [{ name: 'needinfo', status: '?', requestee: 'bob@example.test' }] }],
  ['PUT', '/bug/58', { flags: [{ name: 'needinfo', status: 'X' }], work_time: 2.5, estimated_time: 4 }],
  ['PUT', '/bug/comment/1/tags', { add: ['good', 'better'] }],
  ['PUT', '/bug/comment/1/tags', { remove: ['good'] }],
  ['GET', '/login?login=alice@example.test&password=alice-sandbox'],
  ['GET', '/logout'],
];
