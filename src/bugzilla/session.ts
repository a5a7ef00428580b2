/** A tracker's product as one connection uses it: its settings, and what the greeting has found. */

import type { Bug } from '../model/item.ts';
import type { Probe } from '../model/outcome.ts';
import { type Account, accountIn } from '../model/people.ts';
import type { Vocabulary } from '../model/route.ts';
import { type Hello as Introduced, type Kept, nothingKept } from '../model/survey.ts';
import { keptSince, recalled } from '../runtime/recall.ts';
import type { Search } from './changes.ts';
import type { Answer } from './connection/answer.ts';
import type { TrackerClient } from './connection/client.ts';
import { isUnanswered, isUnreachable, TrackerError } from './connection/errors.ts';
import type { Hello } from './connection/hello.ts';
import { returnedAtOnce } from './connection/read-many.ts';
import { bugRow, mapping } from './connection/rows.ts';
import { type CharacterSupport, detailedBug, type Extras, extraFields, keepsBasicOnly, read } from './map.ts';
import { type MarkdownUse, markdownUseOf } from './markdown.ts';
import { goneOf } from './outcome.ts';
import { bugFields, bugsIn } from './schema.ts';
import { readProducts, readVocabulary } from './vocabulary.ts';

export interface BugzillaReplicaOptions {
  readonly client: TrackerClient;
  readonly product: string;
  /** The address of the tracker's pages; usually that of the client. */
  readonly url: string;
  /** The number of bugs per request; the tracker may return fewer. */
  readonly pageSize: number;
  /** Names of other fields to read, for the table in the issue. */
  readonly details?: readonly string[];
  /** Names of fields to read for labels: the whiteboard and custom fields. */
  readonly labels?: readonly string[];
  /** Shared with the other clients of this tracker; hello fills it. */
  readonly characters?: CharacterSupport;
  /** The findings of earlier greetings. */
  readonly kept?: Kept;
  /** Called for bugs that are left out because the tracker fails on them. */
  readonly warn: (message: string) => void;
}

/** What one connection knows of a product of a tracker. */
export interface TrackerSession extends BugzillaReplicaOptions {
  readonly extras: Extras;
  readonly characters: CharacterSupport;
  readonly search: Search;
  /** Our own login, once hello has found it. */
  login: string | null;
  /** Its number, if the tracker reports it. */
  id: number | undefined;
  /** False if hello has found that the tracker does not report the clock of its timestamps. */
  isClockKnown: boolean;
  /** The findings of hello. */
  markdown: MarkdownUse;
  atOnce: number;
  version: string;
}

type Greeting = Hello & { readonly markdown: MarkdownUse; readonly atOnce: number };

/** Sends no request if a recent greeting is stored. */
export async function hello(session: TrackerSession): Promise<Introduced> {
  const { login, id, version, skewMs, markdown, atOnce } = await greet(session);
  session.login = login;
  session.id = id;
  session.characters.isBasic = keepsBasicOnly(version);
  session.characters.markdown = markdown;
  session.isClockKnown = skewMs !== null;
  session.markdown = markdown;
  session.atOnce = atOnce;
  session.version = version;
  return { ...selfIn({ login, id }), version };
}

async function greet({ client, kept = nothingKept }: TrackerSession): Promise<Greeting> {
  const ask = async (): Promise<Greeting> => {
    const found = await client.hello();
    kept.keep('account', selfIn(found));
    return {
      ...found,
      markdown: await markdownUseOf(client, found.version),
      atOnce: await returnedAtOnce(client),
    };
  };
  const greeting = await recalled(kept, 'tracker', ask, isUnanswered);
  await client.hello(greeting);
  // It was asked at the same time, or later.
  const self = kept.recent<Self>('account') ?? greeting;
  return { ...greeting, login: self.login, id: self.id };
}

type Self = Pick<Introduced, 'login' | 'id'>;
const selfIn = ({ login, id }: Pick<Hello, 'login' | 'id'>): Self => ({ login, ...(id === undefined ? {} : { id }) });

/** Our account as the tracker said at `sinceAt` or later. Throws `TrackerError`. */
export async function account(session: TrackerSession, sinceAt: number): Promise<Account | null> {
  const { client, kept = nothingKept } = session;
  const ask = async (): Promise<Self> => selfIn((await client.identifyByNumber()) ?? { login: null });
  const self = await recalled(keptSince(kept, sinceAt), 'account', ask, isUnanswered);
  session.login = self.login;
  session.id = self.id;
  return accountIn(self);
}

export async function vocabulary(
  { client, product, markdown, kept = nothingKept }: TrackerSession,
  isAnew: boolean,
): Promise<Vocabulary> {
  const ask = () => readVocabulary(client, product);
  const values = await recalled(
    isAnew ? { ...kept, recent: () => null } : kept,
    `values of ${product}`,
    ask,
    isUnanswered,
  );
  return {
    ...values,
    ...(markdown === 'none' ? {} : { takesMarkdown: true }),
    ...(markdown === 'site' ? { readsAllMarkdown: true } : {}),
  };
}

/** Null for a tracker without such a resource. A refusal is no answer, as bugs count as moved because of one. */
export async function hasProduct({ client, product }: TrackerSession): Promise<boolean | null> {
  try {
    return (await readProducts(client, product)).some(({ name }) => name === product);
  } catch (failure) {
    if (failure instanceof TrackerError && failure.kind === 'absent') return null;
    throw failure;
  }
}

export async function probe(session: TrackerSession, ref: number): Promise<Probe<Bug>> {
  try {
    const { body } = await readBug(session, ref);
    return { kind: 'there', item: body };
  } catch (failure) {
    if (!isUnreachable(failure)) throw failure;
    return { kind: 'gone', gone: goneOf(failure.kind, failure.message) };
  }
}

export async function readBug({ client, url, extras, characters }: TrackerSession, ref: number): Promise<Answer<Bug>> {
  const { body, readAt } = await client.read(
    ['bug', ref],
    { include_fields: [bugFields, ...extraFields(extras)].join(',') },
    bugsIn(client.rows),
  );
  const found = body.bugs[0];
  if (found === undefined)
    throw new TrackerError('refused', `The tracker answered about bug ${ref} without showing any bug`);
  return { body: mapping(client.rows, bugRow(found), () => read(characters, detailedBug(found, url, extras))), readAt };
}
