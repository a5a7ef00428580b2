import { attachmentShape, attachmentsSeen } from '../attachments/attachments.ts';
import { duplicatesOf, type Shape } from '../bugs/bugs.ts';
import { historyShape } from '../bugs/history.ts';
import { commentsSeen } from '../comments/comments.ts';
import { type FieldChoice, isWanted } from '../installation/field-choice.ts';
import type { Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { Call } from '../server/call.ts';
import type { TrackerBug, TrackerState } from '../world/state.ts';
import { commentShape } from './comments.ts';

/**
 * What a bug can bring along on harmony, if it is asked for: comments, attachments, history, how many of them there
 * are, and more.
 */
export function nestedShapes({ state, viewer, fields }: Call, bug: TrackerBug): Shape {
  if (!way(state, 'nested')) return {};
  const comments = commentsSeen(state, viewer, bug.id, null).map((comment) =>
    commentShape(state, comment, below(fields, 'comments')),
  );
  const all: Readonly<Record<string, () => unknown>> = {
    comments: () => comments,
    description: () => comments[0]?.['text'] ?? '',
    attachments: () =>
      attachmentsSeen(state, viewer, bug.id).map((attachment) =>
        attachmentShape(state, attachment, below(fields, 'attachments')),
      ),
    history: () => historyShape(state, viewer, bug, null)['history'],
    counts: () => countsOf(state, viewer, bug),
    filed_via: () => 'api',
    triage_owner: () => '',
  };
  const wanted = Object.entries(all).filter(([name]) => isWanted(fields, name, ['extra']));
  return Object.fromEntries(wanted.map(([name, shape]) => [name, shape()]));
}

/**
 * How many of each the viewer sees; harmony counts what a bug blocks as what it depends on, and the other way round.
 */
const countsOf = (state: TrackerState, viewer: Viewer, bug: TrackerBug): Shape => ({
  comments: commentsSeen(state, viewer, bug.id, null).length,
  attachments: attachmentsSeen(state, viewer, bug.id).length,
  duplicates: duplicatesOf(state, bug).length,
  cc: bug.cc.length,
  keywords: bug.keywords.length,
  depends_on: bug.blocks.length,
  blocks: bug.depends_on.length,
  regressions: 0,
  regressed_by: 0,
});

/** `attachments.data` of a bug is `data` of its attachments. */
function below({ include, exclude }: FieldChoice, field: string): FieldChoice {
  const parts = (names: readonly string[]): readonly string[] =>
    names.filter((name) => name.startsWith(`${field}.`)).map((name) => name.slice(field.length + 1));
  const included = include === null || include.includes(field) ? [] : parts(include);
  return { include: included.length === 0 ? null : included, exclude: parts(exclude) };
}
