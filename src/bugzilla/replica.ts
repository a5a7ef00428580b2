import type { Bug } from '../model/item.ts';
import { withoutSlash } from '../model/named.ts';
import type { FailedItem, Listing, TrackerReplica } from '../model/replica.ts';
import type { InTime } from '../model/runtime.ts';
import { nothingKept } from '../model/survey.ts';
import {
  changesSince,
  createSearch,
  readThreads,
  type Search,
  type SearchOf,
  type SearchPage,
  startHere,
} from './changes.ts';
import { reading } from './connection/answer.ts';
import { serverNow } from './connection/hello.ts';
import { type Found, foundIn } from './connection/read-apart.ts';
import { createLook } from './connection/shown-bugs.ts';
import { commentAt, readBugs, readChanges } from './evidence.ts';
import { allCharacters } from './map.ts';
import { attachPull, changePull, shownPulls } from './pulls.ts';
import { commentOn, createBug, updateBug } from './send-write.ts';
import {
  account,
  type BugzillaReplicaOptions,
  hasProduct,
  hello,
  probe,
  type TrackerSession,
  vocabulary,
} from './session.ts';

/** One product of a Bugzilla 5.x tracker. */
export function bugzillaReplica(options: BugzillaReplicaOptions): TrackerReplica {
  const extras = { details: options.details ?? [], labels: options.labels ?? [] };
  const characters = options.characters ?? allCharacters();
  const searchOf = (of: SearchOf): Search =>
    createSearch({ ...options, of, atOnce: () => session.atOnce, extras, characters });
  const session: TrackerSession = {
    ...options,
    extras,
    characters,
    url: withoutSlash(options.url),
    atOnce: 0,
    search: searchOf({ product: options.product }),
    login: null,
    id: undefined,
    isClockKnown: true,
    markdown: 'none',
    version: '',
  };
  const lookAt = createLook(options.client);
  const foundOf = (what: string): Found => foundIn(options.kept ?? nothingKept, `${what} in ${options.product}`);
  const [ofBugs, ofChanges, ofPulls] = [foundOf('bugs'), foundOf('changes'), foundOf('pull requests')];
  const source = {
    ...session,
    isClockKnown: () => session.isClockKnown,
    markdownUse: () => session.markdown,
    serverNow: () => serverNow(session.client),
    found: foundOf('comments'),
  };
  return {
    side: 'tracker',
    url: session.url,
    hello: () => reading(() => hello(session)),
    account: (sinceAt) => reading(() => account(session, sinceAt)),
    changes: (cursor, _isRenamed, inTime) =>
      reading(() => (cursor === null ? startHere(session) : changesSince(session, cursor, inTime))),
    list: (page, inTime) => reading(() => list(session, page, inTime)),
    threads: (asks, inTime) => reading(() => readThreads(source, asks, inTime)),
    probe: (ref) => reading(() => probe(session, ref)),
    vocabulary: (isAnew = false) => reading(() => vocabulary(session, isAnew)),
    hasProduct: () => reading(() => hasProduct(session)),
    filedByUs: (sinceAt) => reading(() => filedByUs(session, searchOf, sinceAt)),
    bugs: (refs, inTime) => reading(() => readBugs(session, refs, { found: ofBugs, inTime })),
    lookAt: (ask, inTime) => reading(() => lookAt(ask, inTime)),
    history: (refs, since, inTime) =>
      reading(() => readChanges(session.client, refs, { since, found: ofChanges, inTime })),
    commentAt: (id) => reading(() => commentAt(session.client, id)),
    attachPull: (ref, pull) => attachPull(session, ref, pull),
    changePull: (attachment, shown, text) => changePull(session, attachment, shown, text),
    shownPulls: (refs, inTime) => reading(() => shownPulls(session, refs, { found: ofPulls, inTime })),
    create: (draft) => createBug(session, draft),
    update: (seen, patch) => updateBug(session, seen, patch),
    comment: (ref, text, isMarkdown = false) => commentOn(session, ref, text, isMarkdown),
  };
}

async function list({ search, client }: TrackerSession, page: string | null, inTime?: InTime): Promise<Listing<Bug>> {
  const { bugs, failed, next, readAt } = await search.page(page === null ? 0 : Number(page), null, inTime);
  return {
    items: bugs,
    failed,
    comments: [],
    readAt: readAt ?? (await serverNow(client)),
    next: next === null ? null : String(next),
  };
}

/** None if the tracker does not name our account. */
async function filedByUs({ login }: TrackerSession, searchOf: (of: SearchOf) => Search, sinceAt: number) {
  if (login === null) return { items: [], failed: [] };
  const { bugs, failed } = await searchedSince(searchOf({ creator: login }), sinceAt);
  return { items: bugs, failed };
}

/** All bugs of a search that changed at `sinceAt` or later, and those that cannot be read. */
async function searchedSince(search: Search, sinceAt: number): Promise<Pick<SearchPage, 'bugs' | 'failed'>> {
  const [bugs, failed]: [Bug[], FailedItem[]] = [[], []];
  let after: number | null = 0;
  while (after !== null) {
    const page: SearchPage = await search.page(after, sinceAt);
    bugs.push(...page.bugs);
    failed.push(...page.failed);
    after = page.next;
  }
  return { bugs, failed };
}
