import type { Fields } from '../model/fields.ts';
import type { ImportComment, ImportDraft } from '../model/importer.ts';
import type { Bug } from '../model/item.ts';
import type { Entry } from '../model/link.ts';
import type { CreateOperation, Operation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { leavable } from './left-out.ts';

export type IssueCreation = CreateOperation & { readonly on: 'github' };

/** What is planned for a bug without an issue, as one import. */
export interface ImportPlan {
  readonly create: IssueCreation;
  readonly draft: ImportDraft;
}

const labelLengthMax = 50;

/**
 * Turns what the mirror would do with a bug that has no issue yet into one import: the same title, body, comments and values, in the
 * same order. Null when no issue is to be made now. An import can close only as completed; other reasons follow when the issue stands.
 * @param operations what is planned for the link of the bug, in order
 */
export function importPlan(bug: Bug, entries: readonly Entry[], operations: readonly Operation[]): ImportPlan | null {
  const create = operations.find(isIssueCreation);
  if (create === undefined) return null;
  const { title, body, labels, assignees = [], milestone } = create.draft;
  const [assignee] = assignees;
  const closing = operations.find((each) => each.kind === 'update' && each.on === 'github');
  const isClosed = closing?.kind === 'update' && closing.target.status === 'completed';
  return {
    create,
    draft: {
      title,
      body,
      // What GitHub refuses as a label would fail the whole import.
      labels: labels.filter((label) => [...label].length <= labelLengthMax),
      ...(assignee === undefined ? {} : { assignee }),
      ...(milestone === undefined ? {} : { milestone }),
      isClosed,
      createdAt: bug.createdAt,
      changedAt: bug.changedAt,
      comments: operations.flatMap((each) => commentOf(entries, each)),
    },
  };
}

/**
 * The makings of issues among operations, as far as imports are sure to express them: types and fields of the organisation follow when the
 * issues stand, and an assignee or a milestone that GitHub does not take is left out. What counts as written and does not show on the
 * issue would be somebody's edit, and travel to the tracker.
 */
export function importsOf(route: Route, operations: readonly Operation[]): readonly IssueCreation[] {
  const late = leavable(route);
  const said = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !late.some((each) => each === name)));
  return operations.filter(isIssueCreation).map((create) => ({ ...create, target: said(create.target), source: said(create.source) }));
}

const isIssueCreation = (operation: Operation): operation is IssueCreation => operation.kind === 'create' && operation.on === 'github';

function commentOf(entries: readonly Entry[], operation: Operation): readonly ImportComment[] {
  if (operation.kind !== 'comment' || operation.on !== 'github') return [];
  const entry = entries.find(({ id }) => id === operation.entry);
  return entry === undefined ? [] : [{ body: operation.text, createdAt: entry.createdAt }];
}
