import { at, equal, isRecord, listAt, notOffered, numberAt, ok, recordAt, textAt } from './judge.ts';
import { type Body, type Caller, openServer, type Query, type Reply } from './server.ts';
import { choosePlace, type TestProduct, type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { type Line, lineOf } from './ways.ts';

export interface TrackerOptions {
  readonly url: string;
  readonly key: string;
  /** The key of somebody who is no insider. */
  readonly otherKey?: string;
  readonly product?: string;
  readonly component?: string;
  /** A word of a-z and digits that no other run has; everything that the run creates contains it. */
  readonly run: string;
  /** Lets time go by at the tracker, whose clock has whole seconds. */
  readonly pause: (delayMs: number) => Promise<void>;
}

type BugId = number | string;
export type Bug = Readonly<Record<string, unknown>>;

/** The first alias of a bug, from a list or alone. */
export const aliasOf = (bug: Bug): string => textAt([bug['alias']].flat(), 0);

/** A tracker under observation, with the few verbs that cases are written in. */
export class Tracker {
  readonly main: Caller;
  readonly anonymous: Caller;
  readonly run: string;
  /** All bugs that were made here. */
  readonly made: number[] = [];
  private readonly options: TrackerOptions;
  private readonly found = new Map<string, Promise<unknown>>();
  private last = 0;

  constructor(options: TrackerOptions) {
    this.options = options;
    this.run = options.run;
    this.main = openServer(options.url, 'the key', options.key);
    this.anonymous = openServer(options.url, 'nobody', null);
  }

  get key(): string {
    return this.options.key;
  }

  get hasOther(): boolean {
    return this.options.otherKey !== undefined;
  }

  get other(): Caller {
    const { url, otherKey } = this.options;
    return openServer(url, 'the other key', otherKey ?? notOffered('there is no --other-key'));
  }

  /** Finds something out once, however many cases ask for it. */
  once<Found>(name: string, find: () => Promise<Found>): Promise<Found> {
    const known = this.found.get(name);
    if (known !== undefined) return known as Promise<Found>;
    const found = find();
    this.found.set(name, found);
    return found;
  }

  /** The versions that it behaves like; null when it is none that was measured. */
  line(): Promise<Line | null> {
    return this.once('line', async () => lineOf(String(at((await this.main.get('/version')).body, 'version'))));
  }

  vocabulary(): Promise<Vocabulary> {
    return this.once('vocabulary', () => vocabularyOf(this.main));
  }

  /** Where bugs are filed: as the caller wishes, or the richest public product in which the key may file. */
  place(): Promise<TestProduct> {
    return this.once('place', () => choosePlace(this.main, this.options));
  }

  /** A word that occurs nowhere else, and in no other such word: 1 ends differently from 11. */
  word(): string {
    this.last += 1;
    return `${this.run}x${this.last}x`;
  }

  /** Waits until the tracker's clock of whole seconds has moved on. */
  tick(): Promise<void> {
    return this.options.pause(1100);
  }

  async filing(extra: Body = {}): Promise<Body> {
    const { product, component, version } = await this.place();
    const { defaults } = await this.vocabulary();
    const summary = `Conformance ${this.word()}`;
    return { product, component, version, summary, description: `Made by a conformance run.`, ...defaults, ...extra };
  }

  async tryFile(extra: Body = {}, caller: Caller = this.main): Promise<Reply> {
    const reply = await caller.post('/bug', await this.filing(extra));
    const id = at(reply.body, 'id');
    if (typeof id === 'number') this.made.push(id);
    return reply;
  }

  async file(extra: Body = {}, caller: Caller = this.main): Promise<number> {
    return numberAt(ok(await this.tryFile(extra, caller)), 'id');
  }

  /** A new alias as a bug is filed with it: some versions have a list of them, others one text. */
  async alias(word: string): Promise<unknown> {
    const isList = Array.isArray((await this.read(await this.scratch()))['alias']);
    return isList ? [word] : word;
  }

  /** An open, public bug for cases that leave it as it was, or do not mind what others did to it. */
  scratch(): Promise<number> {
    return this.once('scratch', () => this.file());
  }

  async read(bug: BugId, query: Query = {}, caller: Caller = this.main): Promise<Bug> {
    return recordAt(ok(await caller.get(`/bug/${bug}`, query)), 'bugs', 0);
  }

  async update(bug: BugId, body: Body, caller: Caller = this.main): Promise<Reply> {
    return caller.put(`/bug/${bug}`, await this.reasoned(body));
  }

  /** Some installations want a comment with each resolution and each duplicate. */
  private async reasoned(body: Body): Promise<Body> {
    const { parameters } = await this.vocabulary();
    const isAsked = ['commentonchange_resolution', 'commentonduplicate'].some(
      (name) => String(parameters[name] ?? '0') !== '0',
    );
    const isAbout = ['status', 'resolution', 'dupe_of'].some((field) => field in body);
    return isAsked && isAbout ? { comment: { body: 'Said because it has to be.' }, ...body } : body;
  }

  /** An update that has to work: the bug's part of the answer. */
  async change(bug: BugId, body: Body, caller: Caller = this.main): Promise<Bug> {
    return recordAt(ok(await this.update(bug, body, caller)), 'bugs', 0);
  }

  async login(): Promise<string> {
    return this.once('login', async () => textAt(await this.read(await this.scratch()), 'creator'));
  }

  async otherLogin(): Promise<string> {
    return this.once('other login', async () => textAt(await this.read(await this.file({}, this.other)), 'creator'));
  }

  /** Ids that a search finds, in the order in which they came. */
  async search(query: Query, caller: Caller = this.main): Promise<readonly number[]> {
    const body = ok(await caller.get('/bug', { ...query, include_fields: 'id' }));
    return listAt(body, 'bugs').map((bug) => numberAt(bug, 'id'));
  }

  async history(bug: BugId, query: Query = {}, caller: Caller = this.main): Promise<readonly Bug[]> {
    return listAt(ok(await caller.get(`/bug/${bug}/history`, query)), 'bugs', 0, 'history').filter(isRecord);
  }

  async comments(bug: number, query: Query = {}, caller: Caller = this.main): Promise<readonly Bug[]> {
    return listAt(ok(await caller.get(`/bug/${bug}/comment`, query)), 'bugs', bug, 'comments').filter(isRecord);
  }

  async comment(bug: number, text: string, extra: Body = {}, caller: Caller = this.main): Promise<number> {
    return numberAt(ok(await caller.post(`/bug/${bug}/comment`, { comment: text, ...extra }), [200, 201]), 'id');
  }

  async readComment(id: number, caller: Caller = this.main): Promise<Bug> {
    return recordAt(ok(await caller.get(`/bug/comment/${id}`)), 'comments', id);
  }

  tryAttach(bug: number, extra: Body = {}, caller: Caller = this.main): Promise<Reply> {
    const plain = {
      ids: [bug],
      data: 'aGVsbG8=',
      file_name: 'hello.txt',
      summary: 'hello',
      content_type: 'text/plain',
    };
    const body = Object.entries({ ...plain, ...extra }).filter(([, value]) => value !== undefined);
    return caller.post(`/bug/${bug}/attachment`, Object.fromEntries(body));
  }

  async attach(bug: number, extra: Body = {}, caller: Caller = this.main): Promise<number> {
    const body = ok(await this.tryAttach(bug, extra, caller), [200, 201]);
    const whole = at(body, 'attachments');
    const ids = isRecord(whole) ? Object.keys(whole) : listAt(body, 'ids');
    equal(ids.length, 1, 'attachments made');
    return Number(ids[0]);
  }

  async attachment(id: number, caller: Caller = this.main, query: Query = {}): Promise<Bug> {
    return recordAt(ok(await caller.get(`/bug/attachment/${id}`, query)), 'attachments', id);
  }

  updateAttachment(id: number, body: Body, caller: Caller = this.main): Promise<Reply> {
    return caller.put(`/bug/attachment/${id}`, body);
  }

  async changeAttachment(id: number, body: Body): Promise<Bug> {
    return recordAt(ok(await this.updateAttachment(id, body)), 'attachments', 0);
  }
}
