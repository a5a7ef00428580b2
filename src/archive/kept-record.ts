import type { ArchiveFolder, ListedBug, ListedField, ReadChange, ReadComment, Thread } from '../model/archive/ports.ts';
import { type AttachmentRecord, type BugRecord, duplicatedBy, duplicateOf, type Relation } from './bug-record.ts';
import { isFilePath, recordPath } from './paths.ts';

/** The record of a bug that is in the folder; null if there is none, or none that a page can be made of. */
export function keptRecord(folder: ArchiveFolder, bug: number): BugRecord | null {
  const bytes = folder.read(recordPath(bug));
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) && value.id === bug ? value : null;
  } catch {
    return null;
  }
}

/** What the list said of the bug when the record was made. */
export function listedIn({ title, relations, issue, comments, changes, attachments, ...bug }: BugRecord): ListedBug {
  return {
    ...bug,
    summary: title,
    relations: relations
      .filter(({ label }) => label !== duplicateOf && label !== duplicatedBy)
      .map((relation) => ({ ...relation, name: relation.label })),
    dupeOf: relations.find(({ label }) => label === duplicateOf)?.bugs[0] ?? null,
  };
}

/** What was read of the bug when the record was made. */
export const threadIn = ({ comments, changes, attachments }: BugRecord): Thread => ({
  comments,
  changes,
  files: attachments.map(({ file, isUnread, pull, ...read }) => read),
});

type Check = (value: unknown) => boolean;

/** Whoever can write to the folder may have changed a record: it must not end a run, and not lead out of the folder. */
const text: Check = (value) => typeof value === 'string';
const truth: Check = (value) => typeof value === 'boolean';
const number: Check = (value) => Number.isSafeInteger(value);
const moment: Check = (value) => Number.isSafeInteger(value) && !Number.isNaN(new Date(Number(value)).getTime());
const filePath: Check = (value) => typeof value === 'string' && isFilePath(value);
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const absentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** A check for each part that the type names, so that none is forgotten. */
const having =
  <Whole>(checks: { readonly [Part in keyof Required<Whole>]: Check }) =>
  (value: unknown): value is Whole =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([part, check]) => check((value as Readonly<Record<string, unknown>>)[part]));

const isRecord = having<BugRecord>({
  ...{
    id: number,
    title: text,
    issue: nullOr(text),
    aliases: listOf(text),
    product: text,
    component: text,
    status: text,
  },
  ...{
    resolution: text,
    isOpen: truth,
    createdAt: nullOr(moment),
    changedAt: nullOr(moment),
    reporter: text,
    assignee: text,
  },
  fields: listOf(having<ListedField>({ name: text, label: text, values: listOf(text) })),
  relations: listOf(having<Relation>({ label: text, bugs: listOf(number) })),
  seeAlso: listOf(text),
  comments: listOf(
    having<ReadComment>({
      ...{
        id: number,
        count: nullOr(number),
        author: text,
        at: moment,
        text,
        isMarkdown: truth,
        attachment: nullOr(number),
      },
      tags: listOf(text),
    }),
  ),
  changes: listOf(
    having<ReadChange>({
      at: moment,
      author: text,
      field: text,
      removed: text,
      added: text,
      attachment: nullOr(number),
    }),
  ),
  attachments: listOf(
    having<AttachmentRecord>({
      ...{ id: number, name: text, summary: text, type: text, size: nullOr(number), isPatch: truth, isObsolete: truth },
      ...{ flags: listOf(text), author: text, at: moment, isUnread: absentOr(truth), pull: absentOr(text) },
      file: nullOr(having<NonNullable<AttachmentRecord['file']>>({ path: filePath, sha256: text, bytes: number })),
    }),
  ),
});
