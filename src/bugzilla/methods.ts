/** The methods of the public client, on top of one connection. What they mean stands in tracker.ts. */
import { createAttachment, getAttachment, getAttachments, updateAttachments } from './attachment-operations.ts';
import { bugHistory, createBug, getBug, getBugs, readBugs, searchBugs, updateBugs } from './bug-operations.ts';
import { readAttachments, readComments, readHistory } from './bulk.ts';
import type { TrackerClient } from './client.ts';
import { createComment, getComment, getComments, searchCommentTags, updateCommentTags } from './comment-operations.ts';
import { TrackerError } from './errors.ts';
import { readFields, readParameters, readProducts, readTime, readValidLogin, readVersion, readWhoami } from './installation-operations.ts';
import { proven } from './proof.ts';
import type { AttachmentChange, AttachmentChoice, BugChange, BugName, NewSince, Tracker } from './tracker.ts';

export function methodsOf(connection: TrackerClient): Tracker {
  const { client, identity } = proven(connection);
  const login = async (): Promise<string | null> => (await identity())?.login ?? null;
  return {
    hello: login,
    ...bugMethods(client),
    ...attachmentMethods(client),
    ...commentMethods(client),
    version: () => readVersion(client),
    time: () => readTime(client),
    whoAmI: async () => (await login()) ?? readWhoami(client),
    validLogin: (name) => readValidLogin(client, name),
    fields: (name) => readFields(client, name),
    products: (names) => readProducts(client, names),
    parameters: () => readParameters(client),
  };
}

function bugMethods(client: TrackerClient) {
  return {
    getBug: (bug, choice = {}) => getBug(client, bug, choice),
    getBugs: (ids, choice = {}) => getBugs(client, ids, choice),
    bugHistory: oneOrMany((bugs: readonly BugName[], since?: NewSince) => bugHistory(client, bugs, since?.newSince), first),
    searchBugs: (search, choice = {}) => searchBugs(client, search, choice),
    createBug: (bug) => createBug(client, bug),
    updateBug: oneOrMany((bugs: readonly BugName[], change: BugChange) => updateBugs(client, bugs, change), first),
    readBugs: (criteria, options = {}) => readBugs(client, criteria, options),
    readHistory: (ids, options = {}) => readHistory(client, ids, options),
  } satisfies Partial<Tracker>;
}

function attachmentMethods(client: TrackerClient) {
  return {
    getAttachments: oneOrMany(
      (bugs: readonly BugName[], choice?: AttachmentChoice) => getAttachments(client, bugs, choice ?? {}),
      (found) => first([...found.values()]),
    ),
    getAttachment: (id, choice = {}) => getAttachment(client, id, choice),
    createAttachment: (bugs, attachment) => createAttachment(client, isList(bugs) ? bugs : [bugs], attachment),
    updateAttachment: oneOrMany((ids: readonly number[], change: AttachmentChange) => updateAttachments(client, ids, change), first),
    readAttachments: (ids, options = {}) => readAttachments(client, ids, options),
  } satisfies Partial<Tracker>;
}

function commentMethods(client: TrackerClient) {
  return {
    getComments: oneOrMany(
      (bugs: readonly BugName[], since?: NewSince) => getComments(client, bugs, since?.newSince),
      (found) => first([...found.values()]),
    ),
    getComment: (id) => getComment(client, id),
    createComment: (bug, comment) => createComment(client, bug, comment),
    searchCommentTags: (query, options = {}) => searchCommentTags(client, query, options.limit),
    updateCommentTags: (comment, change) => updateCommentTags(client, comment, change),
    readComments: (ids, options = {}) => readComments(client, ids, options),
  } satisfies Partial<Tracker>;
}

/** Gives a method that takes several names a second form for a single one, which answers about that one alone. */
function oneOrMany<Name extends BugName, How, Many, One>(
  several: (names: readonly Name[], how: How) => Promise<Many>,
  single: (answer: Many, name: Name) => One,
) {
  function method(name: Name, how: How): Promise<One>;
  function method(names: readonly Name[], how: How): Promise<Many>;
  async function method(names: Name | readonly Name[], how: How): Promise<One | Many> {
    return isList(names) ? several(names, how) : single(await several([names], how), names);
  }
  return method;
}

const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);

function first<Item>(items: readonly Item[], name?: BugName): Item {
  const [item] = items;
  if (item === undefined) throw new TrackerError('missing', `The tracker answered without a word about ${name ?? 'the bug'}`);
  return item;
}
