/**
 * Bugs and comments as the tracker shows them and as the model has them, down to the characters that a tracker can
 * keep.
 */

import { z } from 'zod';
import { bugId } from '../model/ids.ts';
import {
  type Bug,
  type BugValues,
  bugValueNames,
  type Comment,
  type CustomName,
  type CustomValues,
  type Person,
  shortName,
} from '../model/item.ts';
import type { BugDraft, BugPatch } from '../model/plan/draft.ts';
import { list, text } from './connection/answer.ts';
import { type MarkdownUse, shownAs } from './markdown.ts';
import type { WireBug, WireComment } from './schema.ts';

/** `url` is the base address of the tracker's pages. */
export function bugOf(wire: WireBug, url: string): Bug {
  return {
    kind: 'bug',
    id: bugId(wire.id),
    url: bugUrl(url, wire.id),
    product: wire.product,
    summary: wire.summary,
    status: wire.status,
    resolution: wire.resolution ?? '',
    dupeOf: wire.dupe_of ? bugId(wire.dupe_of) : null,
    values: valuesOf(wire),
    keywords: (wire.keywords ?? []).toSorted(),
    assignee: wire.assigned_to ? personOf(wire.assigned_to, wire.assigned_to_detail?.real_name ?? '') : null,
    milestone: wire.target_milestone ?? null,
    ...(wire.depends_on === undefined ? {} : { dependsOn: wire.depends_on.map(bugId) }),
    seeAlso: wire.see_also ?? [],
    // If the tracker does not report the groups of a bug, it has not said that the bug is public.
    isPrivate: !wire.groups || wire.groups.length > 0,
    creator: personOf(wire.creator ?? '', wire.creator_detail?.real_name ?? '', wire.creator_detail?.id),
    createdAt: wire.creation_time,
    changedAt: wire.last_change_time,
  };
}

/**
 * Answers about comments contain only the login of the author.
 * @param use the default for comments that do not say whether they are Markdown
 */
export function commentOf(wire: WireComment, ref: number, url: string, use: MarkdownUse = 'none'): Comment {
  const at = wire.creation_time ?? wire.time ?? 0;
  const { text, isMarkdown } = shownAs(wire.text ?? '', wire.is_markdown, use);
  return {
    side: 'tracker',
    id: wire.id,
    ref,
    count: wire.count ?? null,
    url: commentUrl(url, ref, wire.count ?? null),
    author: personOf(wire.creator ?? '', ''),
    text,
    ...(isMarkdown ? { isMarkdown } : {}),
    isPrivate: wire.is_private ?? true,
    ...(wire.tags ? { tags: wire.tags } : {}),
    createdAt: at,
    changedAt: at,
  };
}

/** Logins are often e-mail addresses, and so are some names: only the local part of either is shown. */
export function personOf(login: string, realName: string, id?: number | null): Person {
  const name = realName.trim();
  return {
    login,
    name: name === '' || name.includes('@') ? shortName({ login }) : name,
    ...(id === undefined || id === null ? {} : { id }),
  };
}

export const bugUrl = (url: string, bug: number): string => `${url}/show_bug.cgi?id=${bug}`;

const commentUrl = (url: string, bug: number, count: number | null): string =>
  count === null ? bugUrl(url, bug) : `${bugUrl(url, bug)}#c${count}`;

/** Unsent values stay absent, which is not the same as empty. */
function valuesOf(wire: WireBug): BugValues {
  const shown = bugValueNames.flatMap((name) => {
    const value = wire[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

/** Names of additional fields to read: in words for the table in the issue, and unchanged for its labels. */
export interface Extras {
  readonly details: readonly string[];
  readonly labels: readonly string[];
}

/** The fields of the tracker's answer that contain them. */
export const extraFields = ({ details, labels }: Extras): readonly string[] => [...new Set([...details, ...labels])];

/** A bug with the additional fields. */
export function detailedBug(wire: WireBug, url: string, { details, labels }: Extras): Bug {
  return {
    ...bugOf(wire, url),
    ...(details.length === 0 ? {} : { details: detailsOf(wire, details) }),
    ...(labels.includes('whiteboard') && typeof wire['whiteboard'] === 'string'
      ? { whiteboard: wire['whiteboard'] }
      : {}),
    ...(labels.some(isCustom) ? { customs: customsOf(wire, labels) } : {}),
  };
}

export const isCustom = (name: string): name is CustomName => name.startsWith('cf_') || name === 'deadline';
/** No day is null; trackers give a day with or without a time, which means nothing. */
const choiceSchema = z.union([z.string().transform(dayIn), z.array(z.string()), z.null().transform(() => '')]);

export function dayIn(text: string): string {
  return /^(\d{4}-\d\d-\d\d)[T ]00:00:00Z?$/u.exec(text)?.[1] ?? text;
}

/** Leaves out what is a number in JSON: a bug, which may not be public. Trackers send whole numbers as texts. */
function customsOf(wire: WireBug, names: readonly string[]): CustomValues {
  const shown = names.filter(isCustom).flatMap((name) => {
    const value = choiceSchema.safeParse(wire[name]);
    return value.success ? [[name, value.data] as const] : [];
  });
  return Object.fromEntries(shown);
}

/**
 * Fields in words: names but never addresses, and of the CC list only the number. Leaves out numbers, because in custom
 * fields they may be bugs that are not public. A field that was not shown stays absent.
 */
function detailsOf(wire: WireBug, names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    names.filter((name) => wire[name] !== undefined).map((name) => [name, wordsOf(wire, name)]),
  );
}

const flagsSchema = z.array(z.object({ name: z.string(), status: z.string(), requestee: text })).catch([]);
const votesSchema = z
  .int()
  .positive()
  .transform((votes) => [String(votes)])
  .catch([]);
const textsSchema = list.catch([]);

function wordsOf(wire: WireBug, name: string): readonly string[] {
  const value = wire[name];
  if (name === 'votes') return votesSchema.parse(value);
  if (name === 'cc') return peopleOf(textsSchema.parse(value).length);
  if (name === 'flags') {
    return flagsSchema.parse(value).map(({ name: kind, status, requestee }) => {
      return `${kind}${status}${requestee ? ` (${nameIn(wire, requestee)})` : ''}`;
    });
  }
  const texts = textsSchema.parse(value).filter((each) => each !== '' && each !== '---');
  return name === 'qa_contact' ? texts.map((login) => nameIn(wire, login)) : texts;
}

/** As over the comments of the thread, where only who filed the bug has the real name. */
function nameIn({ creator, creator_detail: detail }: WireBug, login: string): string {
  return personOf(login, login === creator ? (detail?.real_name ?? '') : '').name;
}

const peopleOf = (count: number): readonly string[] =>
  count === 0 ? [] : [count === 1 ? '1 person' : `${count} people`];

/**
 * 4-byte characters (emoji). Bugzilla 5.0 and 5.3 on MySQL store at most three bytes of a character: they cut off or
 * refuse a summary, whiteboard or file name with an emoji. In comments, they write such characters as `[U+1F41B]`; the
 * bridge does the same in all other visible texts, and reads it back as the character. 5.2, harmony and BMO store all
 * characters.
 */
export interface CharacterSupport {
  /** Whether hello has found such a tracker. */
  isBasic: boolean;
  /** How the tracker reads texts, once hello has found that: all readers see the same. */
  markdown?: MarkdownUse;
}

export const allCharacters = (): CharacterSupport => ({ isBasic: false });

/** From the reported version, such as `5.0.6`. */
export const keepsBasicOnly = (version: string): boolean => /^(?:[34]\.|5\.[03](?!\d))/u.test(version);

const summaryMax = 255;

/** A 4-byte character becomes nine or ten characters; a text that no longer fits is visibly cut. */
export function written<T extends BugDraft | BugPatch>({ isBasic }: CharacterSupport, sent: T): T {
  if (!isBasic) return sent;
  return {
    ...sent,
    ...(sent.summary === undefined ? {} : { summary: within(spelled(sent.summary)) }),
    ...(sent.whiteboard === undefined ? {} : { whiteboard: spelled(sent.whiteboard) }),
  };
}

/** A bug as the tracker stores it, to compare with its answers. */
export const kept = ({ isBasic }: CharacterSupport, bug: Bug): Bug => (isBasic ? mapped(bug, spelled) : bug);

/** A bug with the intended characters. */
export const read = ({ isBasic }: CharacterSupport, bug: Bug): Bug => (isBasic ? mapped(bug, meant) : bug);

/** A name or summary of a file, encoded to send, and decoded. */
export const writtenText = ({ isBasic }: CharacterSupport, text: string): string => (isBasic ? spelled(text) : text);
export const readText = ({ isBasic }: CharacterSupport, text: string): string => (isBasic ? meant(text) : text);

const mapped = (bug: Bug, map: (text: string) => string): Bug => ({
  ...bug,
  summary: map(bug.summary),
  ...(bug.whiteboard === undefined ? {} : { whiteboard: map(bug.whiteboard) }),
});

const spelled = (text: string): string =>
  text.replace(
    /[\u{10000}-\u{10ffff}]/gu,
    (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase()}]`,
  );

const meant = (text: string): string =>
  text.replace(/\[U\+((?:10|[1-9A-F])[0-9A-F]{4})\]/gu, (_whole, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );

/** Never cuts within an encoded character. */
function within(summary: string): string {
  if (summary.length <= summaryMax) return summary;
  return `${summary.slice(0, summaryMax - 1).replace(/\[(?:U(?:\+[0-9A-F]{0,6})?)?$/u, '')}…`;
}
