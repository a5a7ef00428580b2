import { type BugId, bugId } from '../../../model/ids.ts';
import { createAttachments } from '../attachments/attachments.ts';
import { changeAttachments } from '../attachments/change.ts';
import { changeBugs } from '../bugs/change-bug.ts';
import { removeBug } from '../bugs/edit.ts';
import { fileBug } from '../bugs/file-bug.ts';
import { shownComment, writeComment } from '../comments/comments.ts';
import { changeTags, type TagChange } from '../comments/tags.ts';
import { broughtFields, measuredCustomFields } from '../installation/custom-fields.ts';
import { keywords, people, products } from '../installation/installation.ts';
import { measuredSettings, type TrackerSettings } from '../installation/settings.ts';
import { wholeSecond } from '../installation/times.ts';
import { type TrackerVersion, way } from '../installation/versions.ts';
import type { Request } from '../server/request.ts';
import type { CustomField, Part, Product, TrackerBug, TrackerComment, TrackerState, User } from './state.ts';

/**
 * A tracker in memory that obeys the rules measured on Bugzilla 5.0, 5.2, 5.3 and harmony. Tests and the demo act
 * through it like users of the web pages. Programs use `trackerServer`.
 */
export interface TrackerWorld {
  readonly state: TrackerState;
  readonly url: string;
  now(): number;
  /**
   * Acts as a user, named by login or by its local part: `admin`, `alice`, `bob`, `bridge`, `carol`, `bridge-insider`.
   */
  as(name: string): PersonActions;
  user(name: string): User;
  bug(id: number): TrackerBug | null;
  /** Everything, hidden or not, ascending by id. */
  bugs(): readonly TrackerBug[];
  /** Everything, hidden or not, in the order of the bug's page; the first is the description. */
  commentsOf(id: number): readonly TrackerComment[];
  /** Deletes a bug for good. */
  remove(id: number): void;
  /** Puts a bug into the group `security`, which hides it from outsiders. */
  hide(id: number): void;
  unhide(id: number): void;
  /** Edits the text of a comment, which some trackers allow and a stock one does not. The bug's time stays. */
  editComment(id: number, text: string): void;
  /** People vote for a bug. Its time stays, and so does its history. */
  vote(id: number, votes: number): void;
  /** A new product that is like the first one in all but its name. */
  addProduct(name: string): Product;
}

/** For something that becomes visible now with a time stamp some seconds old. */
export interface Stamped {
  readonly stampedMsAgo?: number;
}

export type Filing = Stamped & Request & { readonly summary: string; readonly description?: string };
/** The fields of PUT /rest/bug/ID. */
export type Changing = Stamped & Request;

/** The fields of POST /rest/bug/ID/attachment; missing ones get defaults. */
export type Attaching = Stamped & Request & { readonly bytes: Uint8Array };

export interface PersonActions {
  /** Files a bug; missing fields come from the first product. Throws `TrackerError`. */
  file(filing: Filing): BugId;
  /** Answers the comment's id. Throws `TrackerError`. */
  comment(
    bug: number,
    text: string,
    how?: Stamped & { readonly isPrivate?: boolean; readonly isMarkdown?: boolean },
  ): number;
  change(bug: number, change: Changing): void;
  /** Tags a comment, or takes tags off it. Throws `TrackerError`. */
  tag(comment: number, change: Partial<TagChange>): void;
  /** Answers the attachment's id. Throws `TrackerError`. */
  attach(bug: number, file: Attaching): number;
  /** The fields of PUT /rest/bug/attachment/ID. */
  changeAttachment(id: number, change: Changing): void;
}

export interface TrackerWorldOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The address of its pages, without a slash at the end. */
  readonly url: string;
  /** How long until lists show a change. */
  readonly listLagMs?: number;
  readonly maxSearchResults?: number;
  /** IANA name of the server's zone; UTC by default. */
  readonly timeZone?: string;
  /** Parameters of the installation that differ from those of the measured server. */
  readonly settings?: Partial<TrackerSettings>;
  /** Custom fields, in addition to those of the measured server or instead of them. */
  readonly customFields?: readonly CustomField[];
  /** Whether bugs without a description are refused; on the measured server they are not. */
  readonly needsDescription?: boolean;
  /** The version of Bugzilla that it plays; 5.2 by default. */
  readonly version?: TrackerVersion;
  /** Whether harmony reads all texts as Markdown; the measured one does not. */
  readonly hasMarkdown?: boolean;
  /** Whether harmony has the extension that it asks when a bug leaves a group; the measured one lacks it. */
  readonly hasGroupExtension?: boolean;
  /** URLs that see_also takes besides those of a stock tracker: extensions may add kinds of their own. */
  readonly takesSeeAlso?: (url: string) => boolean;
}

export function createTrackerWorld(options: TrackerWorldOptions): TrackerWorld {
  const state = emptyState(options);
  const user = (name: string): User => {
    const found = state.users.find(
      (candidate) => candidate.login === name || candidate.login === `${name}@example.test`,
    );
    if (found === undefined) throw new Error(`The sandbox tracker has no user "${name}".`);
    return found;
  };
  return {
    state,
    url: state.url,
    now: state.now,
    as: (name) => personActions(state, user(name)),
    user,
    bug: (id) => state.bugs.get(id) ?? null,
    bugs: () => [...state.bugs.values()].sort((one, other) => one.id - other.id),
    commentsOf: (id) => (state.comments.get(id) ?? []).map((comment) => shownComment(state, comment)),
    remove: (id) => removeBug(state, id),
    hide: (id) => personActions(state, user('admin')).change(id, { groups: { add: ['security'] } }),
    unhide: (id) => {
      // Removing a bug from a group that it is not in is an error.
      if (state.bugs.get(id)?.groups.includes('security'))
        personActions(state, user('admin')).change(id, { groups: { remove: ['security'] } });
    },
    editComment(id, text) {
      for (const [bug, comments] of state.comments)
        if (comments.some((comment) => comment.id === id))
          state.comments.set(
            bug,
            comments.map((each) => (each.id === id ? { ...each, text } : each)),
          );
    },
    vote(id, votes) {
      const bug = state.bugs.get(id);
      if (bug !== undefined) state.bugs.set(id, { ...bug, votes });
    },
    addProduct: (name) => addProduct(state, name),
  };
}

const emptyState = ({
  now,
  url,
  listLagMs = 0,
  maxSearchResults = 10_000,
  timeZone = 'UTC',
  settings = {},
  customFields = [],
  needsDescription = false,
  takesSeeAlso = () => false,
  version = '5.2',
  hasMarkdown = false,
  hasGroupExtension = false,
}: TrackerWorldOptions): TrackerState => ({
  url: url.replace(/\/$/, ''),
  now,
  listLagMs,
  maxSearchResults,
  timeZone,
  takesSeeAlso,
  version,
  hasMarkdown,
  hasGroupExtension,
  settings: { ...measuredSettings, ...settings },
  auditedAt: wholeSecond(now()),
  users: [...people],
  tokens: new Map(),
  loginFailures: [],
  products: [...products],
  keywords,
  customFields: [
    ...measuredCustomFields.filter(({ name }) => customFields.every((field) => field.name !== name)),
    ...customFields,
    ...(way({ version }, 'ownFields') ? broughtFields : []),
  ],
  needsDescription,
  bugs: new Map(),
  comments: new Map(),
  history: new Map(),
  events: new Map(),
  attachments: new Map(),
  past: [],
  nextBug: 1,
  nextComment: 1,
  nextEvent: 1,
  nextAttachment: 1,
  nextFlag: 1,
  nextToken: 1,
});

function personActions(state: TrackerState, user: User): PersonActions {
  const stamp = (msAgo = 0): number => wholeSecond(state.now() - msAgo);
  return {
    file: ({ stampedMsAgo, ...filing }) =>
      bugId(fileBug(state, user, { ...firstChoices(state, filing), ...filing }, stamp(stampedMsAgo))),
    comment: (bug, text, { isPrivate = false, isMarkdown = false, stampedMsAgo } = {}) =>
      writeComment(state, user, { idOrAlias: String(bug), text, isPrivate, isMarkdown, at: stamp(stampedMsAgo) }),
    change: (bug, { stampedMsAgo, ...change }) => {
      changeBugs(state, user, [String(bug)], change, stamp(stampedMsAgo));
    },
    tag: (comment, { add = [], remove = [] }) => {
      changeTags(state, user, comment, { add, remove });
    },
    attach(bug, { stampedMsAgo, bytes, ...file }) {
      const data = Buffer.from(bytes).toString('base64');
      const request = {
        file_name: 'file.bin',
        summary: 'A file',
        content_type: 'application/octet-stream',
        ...file,
        data,
      };
      return createAttachments(state, user, [String(bug)], request, stamp(stampedMsAgo))[0] ?? 0;
    },
    changeAttachment: (id, { stampedMsAgo, ...change }) => {
      changeAttachments(state, user, [String(id)], change, stamp(stampedMsAgo));
    },
  };
}

function firstChoices(state: TrackerState, filing: Request): Request {
  const product = state.products.find((candidate) => candidate.name === filing['product']) ?? state.products[0];
  const [type] = way(state, 'types');
  const choices = {
    product: product?.name,
    component: product?.components[0]?.name,
    version: product?.versions[0]?.name,
  };
  return type === undefined ? choices : { ...choices, type };
}

function addProduct(state: TrackerState, name: string): Product {
  const [model] = products;
  if (model === undefined) throw new Error('The sandbox tracker has no product to copy.');
  const product = {
    ...model,
    name,
    id: Math.max(...state.products.map(({ id }) => id)) + 1,
    components: renumbered(state.products, model.components, ({ components }) => components),
    versions: renumbered(state.products, model.versions, ({ versions }) => versions),
    milestones: renumbered(state.products, model.milestones, ({ milestones }) => milestones),
  };
  state.products.push(product);
  state.auditedAt = wholeSecond(state.now());
  return product;
}

/** Copies of parts, numbered after all others of their kind. */
function renumbered<T extends Part>(
  products: readonly Product[],
  parts: readonly T[],
  partsOf: (product: Product) => readonly T[],
): readonly T[] {
  const last = Math.max(...products.flatMap(partsOf).map(({ id }) => id));
  return parts.map((part, index) => ({ ...part, id: last + 1 + index }));
}
