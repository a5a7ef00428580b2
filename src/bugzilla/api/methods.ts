/** The methods of the public client, on one connection. tracker.ts documents them. */

import type { TrackerClient } from '../connection/client.ts';
import { TrackerError } from '../connection/errors.ts';
import type { Identity } from '../connection/hello.ts';
import { createAttachment, getAttachment, getAttachments, updateAttachments } from './attachment.ts';
import { bugHistory, createBug, getBug, getBugs, readBugs, searchBugs, updateBugs } from './bug-operations.ts';
import { readAttachments, readComments, readHistory } from './bulk.ts';
import { createComment, getComment, getComments, searchCommentTags, updateCommentTags } from './comment.ts';
import {
  readFields,
  readParameters,
  readProducts,
  readTime,
  readValidLogin,
  readVersion,
  readWhoami,
} from './installation.ts';
import type { AttachmentChange, AttachmentChoice, BugChange, BugName, NewSince, Tracker } from './tracker.ts';

export function methodsOf(connection: TrackerClient): Tracker {
  const { client, identity } = greeted(connection);
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
    bugHistory: oneOrMany(
      (bugs: readonly BugName[], since?: NewSince) => bugHistory(client, bugs, since?.newSince),
      first,
    ),
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
    updateAttachment: oneOrMany(
      (ids: readonly number[], change: AttachmentChange) => updateAttachments(client, ids, change),
      first,
    ),
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

/** Adds to a method for several names a form for a single one, which returns only that one. */
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
  if (item === undefined)
    throw new TrackerError('missing', `The tracker's answer does not contain ${name ?? 'the bug'}`);
  return item;
}

export interface Greeted {
  /** Requests wait for the verification of the key, and fail with it. */
  readonly client: TrackerClient;
  /** Null without a key. Throws `TrackerError`; the next call then tries again. */
  identity(): Promise<Identity | null>;
}

/**
 * Verifies the key once, before the first request: an ignored key causes no error, and reads would silently lack
 * things.
 */
function greeted(client: TrackerClient): Greeted {
  let identified: Promise<Identity | null> | null = null;
  const identity = (): Promise<Identity | null> => {
    identified ??= client.identify().catch((failure: unknown) => {
      identified = null;
      throw failure;
    });
    return identified;
  };
  return {
    identity,
    client: {
      url: client.url,
      rows: client.rows,
      hello: client.hello,
      identify: identity,
      identifyByNumber: client.identifyByNumber,
      read: async (path, query, schema) => {
        await identity();
        return client.read(path, query, schema);
      },
      create: async (path, body, schema) => {
        await identity();
        return client.create(path, body, schema);
      },
      edit: async (path, body, schema) => {
        await identity();
        return client.edit(path, body, schema);
      },
    },
  };
}
