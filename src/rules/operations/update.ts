import type { Fields } from '../../model/item.ts';
import type { Conflict, UpdateOperation } from '../../model/plan/operation.ts';
import type { LedgerLine } from '../../model/store.ts';
import { edit, type OperationTraits, plain } from './traits.ts';
import { cover, deviations, isList, openWith, said, sideInWords, valueInWords } from './words.ts';

export const update: OperationTraits<'update'> = {
  ...plain,
  rank: 5,
  cost: edit,
  isChange: (operation) => !isAddition(operation),
  doubt: { item: 'always', thread: 'no', isPlannedAfresh: true },
  unshown: ({ target }) => Object.keys(target).join(', '),
  redacted(operation) {
    const target: Fields = Object.fromEntries(Object.keys(operation.target).map((name) => [name, cover]));
    return { ...operation, target, source: {}, replaces: {}, overruled: [] };
  },
  noun: 'a change',
  totals: { tracker: ['bug to change', 'changes to bugs'], github: ['issue to change', 'changes to issues'] },
  planned: (operation) =>
    `${correcting(operation, 'revert changes')}${targets(operation.target, 'correct labels', (field, value) => `set ${field} to ${value}`)}${operation.isPointing ? ', name the issue' : ''}${overruled(operation.overruled)}`,
  done: (operation) =>
    `${correcting(operation, 'reverted changes')}${targets(operation.target, 'labels corrected', (field, value) => `${field} set to ${value}`)}${operation.isPointing ? ', the issue named' : ''}${overruled(operation.overruled)}`,
  inLedger: (detail, on) =>
    `on ${on === 'tracker' ? 'the bug' : 'the issue'}, ${corrected(detail['corrects'])}${changesInWords(detail, on)}${naming(detail['names'])}${deviations(detail)}${losses(detail)}`,
};

/**
 * Whether it only names other items, which it could not before they had their counterparts: a backfill names thousands,
 * and nothing that is mirrored changes. Nor does the table count, as anyone may join the CC list of every bug.
 */
function isAddition({ target, replaces }: UpdateOperation): boolean {
  const fields = Object.keys(target);
  const [present, wanted] = [elementsOf(replaces.dependsOn), elementsOf(target.dependsOn)];
  return (
    fields.length > 0 &&
    fields.every(
      (field) =>
        field === 'table' ||
        (field === 'dependsOn'
          ? present.every((each) => wanted.includes(each))
          : field === 'status' && target.status === 'duplicate' && replaces.status === 'duplicate'),
    )
  );
}

/** An update that sets no field removes labels that do not match the fields. */
function targets(target: Fields, tidying: string, words: (field: string, value: string) => string): string {
  const parts = Object.entries(target).map(([field, value]) => words(field, valueInWords(value, field)));
  return parts.length === 0 ? tidying : parts.join(', ');
}

function overruled(conflicts: readonly Conflict[]): string {
  const parts = conflicts.map(({ field, kept, ...values }) => {
    const loser = kept === 'tracker' ? 'github' : 'tracker';
    return `${field} was ${valueInWords(values[loser], field)} on ${sideInWords(loser)}`;
  });
  return parts.length === 0 ? '' : ` (both sides had changed: ${parts.join('; ')})`;
}

/** For edits on the mirror of a one-way route, where only the bridge should write. */
const correcting = ({ corrects = [], on }: UpdateOperation, words: string): string =>
  corrects.length === 0 ? '' : `${words} made on ${sideInWords(on)} (${corrects.join(', ')}): `;

const corrected = (fields: unknown): string =>
  isList(fields) && fields.length > 0 ? `changes made there were reverted (${fields.join(', ')}): ` : '';

function changesInWords(detail: LedgerLine['detail'], on: LedgerLine['on']): string {
  const [before, after] = [recordOf(detail['before']), recordOf(detail['after'])];
  const parts = Object.keys(after).map((field) => {
    if (after[field] === cover) return `${field} was changed`;
    const label = field === 'status' ? labelInWords(before[field], after[field], on) : null;
    if (label !== null) return label;
    const [old, now] = [valueInWords(before[field], field), valueInWords(after[field], field)];
    return old === now ? `${field} stayed ${now}` : `${field} went from ${old} to ${now}`;
  });
  return parts.length === 0 ? 'labels were corrected' : parts.join(', ');
}

/** What became of an item that stays open: an issue gets or loses a label, which a bug has as its status. */
function labelInWords(before: unknown, after: unknown, on: LedgerLine['on']): string | null {
  const [old, now] = [openIn(before), openIn(after)];
  if (old === null || now === null || old === now) return null;
  if (on === 'tracker') return `status went from ${old} to ${now}`;
  if (old === 'open') return `the label ${now} was added`;
  return now === 'open' ? `the label ${old} was removed` : `the label ${old} became ${now}`;
}

/** An open status by its label, if it has one; null for any other. */
function openIn(status: unknown): string | null {
  if (status === 'open') return 'open';
  return typeof status === 'string' && status.startsWith(openWith) ? `"${status.slice(openWith.length)}"` : null;
}

const naming = (url: unknown): string => (typeof url === 'string' ? `, and it now names ${url}` : '');

function losses(detail: LedgerLine['detail']): string {
  const conflicts = listOf(detail['overruled']).map(
    ({ field, lost }) => `${said(field)} ${valueInWords(lost, said(field))} lost the conflict`,
  );
  const overwritten = listOf(detail['overwritten']).map(
    ({ field, value }) =>
      `${said(field)} ${valueInWords(value, said(field))}, written at the same moment, was overwritten`,
  );
  const parts = [...conflicts, ...overwritten];
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isList(value) ? value.filter(isRecord) : [];
const elementsOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);
