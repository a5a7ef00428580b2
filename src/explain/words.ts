import type { Decision, Rest } from '../model/control.ts';
import type { Side } from '../model/ids.ts';
import type { Fields } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { ChangedBy, CommentOperation, Conflict, Operation, OperationKind, UpdateOperation } from '../model/plan/operation.ts';
import type { LedgerLine, OutboxRow } from '../model/store.ts';
import type { Retirement } from '../model/survey.ts';
import { cover } from '../rules/privacy/redact.ts';

/**
 * The wording of everything that the bridge does: for the terminal, the log, `explain` and the pages.
 *
 *   bug 12 -> acme/widget#5  created
 */

/** The origin, the destination and the content of an operation. */
export interface Sentence {
  readonly from: string;
  readonly to: string;
  readonly what: string;
}

/** One operation, in words for the plan or for the log. `link` is null when it no longer exists. */
export function operationInWords(operation: Operation, link: Link | null, tense: 'planned' | 'done'): Sentence {
  const { on } = operation;
  const [here, there] = on === 'tracker' ? [bugOf(link), issueOf(link)] : [issueOf(link), bugOf(link)];
  const [place, otherPlace] = on === 'tracker' ? ['the tracker', link?.repo ?? 'GitHub'] : [link?.repo ?? 'GitHub', 'the tracker'];
  const from = there ?? (operation.kind === 'create' ? operation.about : otherPlace);
  return { from, to: here ?? place, what: tense === 'planned' ? plannedWords(operation) : doneWords(operation) };
}

/** Ends with a full stop, so that another sentence may follow; messages of the sides may lack one. */
export const withStop = (words: string): string => (/[.!?]$/u.test(words) ? words : `${words}.`);

export const sentence = ({ from, to, what }: Sentence): string => `${from} -> ${to}  ${what}`;

/** `bug 12 = acme/widget#5`, or only the end that exists. */
export function linkInWords(link: Link): string {
  return [bugOf(link), issueOf(link)].filter((end) => end !== null).join(' = ') || 'a link without ends';
}

/** A field's value, for people. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(valueInWords).join(', ');
  return typeof value === 'string' && /\s/u.test(value) ? `"${value}"` : String(value);
}

export function conflictInWords({ field, tracker, github, kept, changed }: Conflict): string {
  const who = (side: Side) => inBrackets(changedInWords(changed?.[side]));
  const both = `${field} is ${valueInWords(tracker)} on the tracker${who('tracker')} and ${valueInWords(github)} on GitHub${who('github')}`;
  return kept === null ? `${both}; make them equal, on either side` : `${both}; ${sideInWords(kept)} wins`;
}

/** `by mona, 2026-09-23 08:50:12 UTC`; empty if that side did not tell. */
export const changedInWords = (changed: ChangedBy | undefined): string =>
  changed === undefined ? '' : `by ${changed.by}, ${timeInWords(changed.at)}`;

const inBrackets = (words: string): string => (words === '' ? '' : ` (${words})`);

export const sideInWords = (side: Side): string => (side === 'tracker' ? 'the tracker' : 'GitHub');

/** `a person paused it at 2026-09-23 08:50:12 UTC: maintenance` */
export const restInWords = ({ at, why }: Rest): string => `a person paused it at ${timeInWords(at)}${because(why)}`;

type Decided = Pick<Decision, 'field' | 'keep'> & { readonly about: string; readonly why: string | null };

export const decisionInWords = ({ about, field, keep, why }: Decided): string =>
  why === null ? `${about}: a person decided that the ${field} of ${sideInWords(keep)} wins` : `${about}: not decided: ${why}`;

/** `2026-09-23 08:50:12 UTC` */
export const timeInWords = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** One line of the ledger, without its time. */
export function ledgerInWords(line: LedgerLine): string {
  const { kind, outcome, detail } = line;
  if (outcome === 'parked') return `${noun(line)} was parked: ${said(detail['why'])}`;
  switch (kind) {
    case 'create':
      return `${line.on === 'tracker' ? 'the bug was filed' : 'the issue was opened'}: ${said(detail['made'])}${deviations(detail)}`;
    case 'comment':
      return `a comment was copied: ${said(detail['of'])} to ${said(detail['made'])}`;
    case 'rewrite':
      return `the copy of ${said(detail['of'])} was corrected: ${said(detail['made'])}`;
    case 'erase':
      return `the copy of ${said(detail['of'])} was removed${because(detail['reason'])}`;
    case 'minimize':
      return typeof detail['minimize'] === 'string'
        ? `the copy of ${said(detail['of'])} was minimized as ${detail['minimize']}, as the original is tagged`
        : `the copy of ${said(detail['of'])} is shown again, as the original is no longer tagged`;
    case 'file':
      return detail['act'] === 'withdraw'
        ? `the copy of a file was removed${typeof detail['left'] === 'string' ? `; ${detail['left']}` : ''}`
        : `a file was ${detail['act'] === 'attach' ? 'attached' : 'copied'}: ${said(detail['name'])} to ${said(detail['made'])}`;
    case 'lock':
      return detail['act'] === 'lock' ? 'the issue was locked' : 'the issue was closed, as bugs are filed on the tracker';
    case 'remark':
      return `explained on the issue: ${said(detail['says'])}`;
    case 'pull':
    case 'push':
      return `the bug was told of ${kind === 'push' ? 'commits that name it' : `a pull request, which was ${said(detail['tells'])}`}: ${said(detail['of'])}`;
    case 'point':
      return `${line.on === 'tracker' ? 'the bug' : 'the issue'} now names ${said(detail['names'])}`;
    case 'update':
      return `on ${line.on === 'tracker' ? 'the bug' : 'the issue'}, ${corrected(detail['corrects'])}${changesInWords(detail)}${naming(detail['names'])}${deviations(detail)}${losses(detail)}`;
    case 'settle':
      return `a request in doubt (${said(detail['operation'])}) ${outcome}${because(detail['why'])}`;
    case 'bind':
      return 'the bug and the issue were linked';
    case 'freeze':
      return `frozen${because(detail['reason'])}`;
    case 'thaw':
      return `no longer frozen; it had been${because(detail['reason'])}`;
    case 'bury':
      return `given up for good${because(detail['reason'])}`;
    case 'withdraw':
      return `withdrawn from GitHub (${withdrawnInWords(detail)})${because(detail['why'])}; ${outOfReach}`;
    case 'restore':
      return 'public again; the issue was unlocked, and is mirrored from the tracker again';
    case 'conflict':
      return `a person decided: ${said(detail['field'])} ${valueInWords(detail['kept'])} on ${detail['keep'] === 'tracker' ? 'the tracker' : 'GitHub'} wins over ${valueInWords(detail['lost'])}`;
    case 'agree':
      return `${kind}, ${outcome}`;
  }
}

/** Shown with every withdrawal: content that the bridge cannot reach. */
export const outOfReach =
  "GitHub's e-mails, edit history and notifications, the old title in the issue's timeline, forks and other people's copies cannot be withdrawn";

/** `title, text and fields; 2 comments; 1 file` */
export function withdrawnInWords({ isIssue, comments, files, left }: Readonly<Record<string, unknown>>): string {
  const counted = (count: unknown, noun: string) =>
    typeof count === 'number' && count > 0 ? [`${count} ${noun}${count === 1 ? '' : 's'}`] : [];
  const parts = [...(isIssue === true ? ['title, text and fields'] : []), ...counted(comments, 'comment'), ...counted(files, 'file')];
  const rest = typeof left === 'string' ? `, though ${left}` : '';
  return `${parts.join('; ') || 'the last of it'}${rest}`;
}

const bugOf = (link: Link | null): string | null => (link === null || link.bug === null ? null : `bug ${link.bug}`);
const issueOf = (link: Link | null): string | null => (link === null || link.issue === null ? null : `${link.repo}#${link.issue}`);

function plannedWords(operation: Operation): string {
  switch (operation.kind) {
    case 'create':
      return operation.on === 'tracker' ? `file a bug "${operation.draft.summary}"` : `open an issue "${operation.draft.title}"`;
    case 'comment':
      return `${{ copy: 'copy a comment', edit: 'report an edited text', deletion: 'report a deleted comment' }[operation.tells]}${partInWords(operation)}`;
    case 'rewrite':
      return operation.isEdit ? 'update the copy of an edited text' : 'correct a copy';
    case 'erase':
      return `remove a copy (${operation.reason})`;
    case 'minimize':
      return operation.minimize === null ? 'show a minimized copy again' : `minimize a copy as ${operation.minimize}`;
    case 'file':
      return `${{ store: 'copy', withdraw: 'remove the copy of', attach: 'attach' }[operation.act]} the file "${operation.name}"`;
    case 'lock':
      return operation.act === 'lock' ? 'lock the issue' : "close a visitor's issue, as bugs are filed on the tracker";
    case 'remark':
      return operation.answers === null ? 'say where bugs are filed' : 'explain a change on the issue';
    case 'pull':
      return `tell of pull request ${operation.pull}, which ${endings[operation.tells ?? 'none']}`;
    case 'push':
      return 'tell of commits that name the bug';
    case 'point':
      return operation.on === 'tracker' ? 'name the issue in the bug' : 'name the bug in the issue';
    case 'update':
      return `${correcting(operation, 'revert changes')}${targets(operation.target, 'correct labels', (field, value) => `set ${field} to ${value}`)}${operation.isPointing ? ', name the issue' : ''}${overruled(operation.overruled)}`;
  }
}

const endings = { open: 'was opened', merged: 'was merged', closed: 'was closed', none: 'changed' } as const;

const partInWords = ({ part, parts }: CommentOperation): string => (parts === 1 ? '' : ` (part ${part} of ${parts})`);

function doneWords(operation: Operation): string {
  switch (operation.kind) {
    case 'create':
      return `created "${operation.on === 'tracker' ? operation.draft.summary : operation.draft.title}"`;
    case 'comment':
      return `${{ copy: 'comment copied', edit: 'edited text reported', deletion: 'deleted comment reported' }[operation.tells]}${partInWords(operation)}`;
    case 'rewrite':
      return operation.isEdit ? 'copy of an edited text updated' : 'copy corrected';
    case 'erase':
      return `copy removed (${operation.reason})`;
    case 'minimize':
      return operation.minimize === null ? 'copy shown again' : `copy minimized as ${operation.minimize}`;
    case 'file':
      return `file "${operation.name}" ${{ store: 'copied', withdraw: 'removed', attach: 'attached' }[operation.act]}`;
    case 'lock':
      return operation.act === 'lock' ? 'issue locked' : "visitor's issue closed";
    case 'remark':
      return operation.answers === null ? 'remark on where bugs are filed' : 'change explained on the issue';
    case 'pull':
      return `told of pull request ${operation.pull}, which ${endings[operation.tells ?? 'none']}`;
    case 'push':
      return 'told of commits that name the bug';
    case 'point':
      return operation.on === 'tracker' ? 'the bug names its issue' : 'the issue names its bug';
    case 'update':
      return `${correcting(operation, 'reverted changes')}${targets(operation.target, 'labels corrected', (field, value) => `${field} set to ${value}`)}${operation.isPointing ? ', the issue named' : ''}${overruled(operation.overruled)}`;
  }
}

/** An update that sets no field removes labels that do not match the fields. */
function targets(target: Fields, tidying: string, words: (field: string, value: string) => string): string {
  const parts = Object.entries(target).map(([field, value]) => words(field, valueInWords(value)));
  return parts.length === 0 ? tidying : parts.join(', ');
}

function overruled(conflicts: readonly Conflict[]): string {
  const parts = conflicts.map(({ field, kept, ...values }) => {
    const loser = kept === 'tracker' ? 'github' : 'tracker';
    return `${field} was ${valueInWords(values[loser])} on ${sideInWords(loser)}`;
  });
  return parts.length === 0 ? '' : ` (both sides had changed: ${parts.join('; ')})`;
}

const naming = (url: unknown): string => (typeof url === 'string' ? `, and it now names ${url}` : '');

/** For edits on the mirror of a one-way route, where only the bridge should write. */
const correcting = ({ corrects = [], on }: UpdateOperation, words: string): string =>
  corrects.length === 0 ? '' : `${words} made on ${sideInWords(on)} (${corrects.join(', ')}): `;

const corrected = (fields: unknown): string =>
  isList(fields) && fields.length > 0 ? `changes made there were reverted (${fields.join(', ')}): ` : '';

function noun({ kind, on }: LedgerLine): string {
  const where = on === null ? '' : ` on ${sideInWords(on)}`;
  return `${isOperation(kind) ? nouns[kind] : kind}${where}`;
}

/** Why an operation is parked, and what becomes of the comments behind it. */
export function parkedInWords({ operation, why, waitingSince, notBeforeAt }: OutboxRow): string | null {
  if (operation.kind !== 'comment' || waitingSince === null) return why;
  const place =
    notBeforeAt === null
      ? 'later comments no longer wait for it and will stand before it'
      : `later comments wait for it until ${timeInWords(notBeforeAt)}`;
  return why === null ? place : `${why}; ${place}`;
}

const nouns: Readonly<Record<OperationKind, string>> = {
  create: 'creating the counterpart',
  update: 'a change',
  comment: 'a comment',
  rewrite: 'correcting a copy',
  erase: 'removing a copy',
  minimize: 'minimizing a copy',
  point: 'naming the other end',
  remark: 'an explanation',
  pull: 'the news of a pull request',
  push: 'the news of commits',
  lock: 'locking or closing the issue',
  file: 'a file',
};

/** Only operations are parked; the ledger has other lines too. */
const isOperation = (kind: LedgerLine['kind']): kind is OperationKind => Object.hasOwn(nouns, kind);

function changesInWords(detail: LedgerLine['detail']): string {
  const [before, after] = [recordOf(detail['before']), recordOf(detail['after'])];
  const parts = Object.keys(after).map((field) => {
    if (after[field] === cover) return `${field} was changed`;
    const [old, now] = [valueInWords(before[field]), valueInWords(after[field])];
    return old === now ? `${field} stayed ${now}` : `${field} went from ${old} to ${now}`;
  });
  return parts.length === 0 ? 'labels were corrected' : parts.join(', ');
}

/** Points out where the server stored another value than it was sent. */
function deviations(detail: LedgerLine['detail']): string {
  const fields = detail['deviates'];
  return isList(fields) && fields.length > 0 ? ` (the server changed ${fields.join(', ')})` : '';
}

function losses(detail: LedgerLine['detail']): string {
  const conflicts = listOf(detail['overruled']).map(({ field, lost }) => `${said(field)} ${valueInWords(lost)} lost the conflict`);
  const overwritten = listOf(detail['overwritten']).map(
    ({ field, value }) => `${said(field)} ${valueInWords(value)}, written at the same moment, was overwritten`,
  );
  const parts = [...conflicts, ...overwritten];
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`;
}

const because = (why: unknown): string => (typeof why === 'string' && why !== '' ? `: ${why}` : '');
const said = (text: unknown): string => (text === null || text === undefined || text === '' ? '(not known)' : String(text));
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (isList(value) ? value.filter(isRecord) : []);

/** Follows the name of the side. */
export function retirementInWords({ sinceAt, endsAt }: Retirement): string {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const since = sinceAt === null ? '' : ` (announced for ${day(sinceAt)})`;
  if (endsAt === null) return `calls the interface version that bugferry uses outdated${since}`;
  return `ends the interface version that bugferry uses on ${day(endsAt)}${since}`;
}
