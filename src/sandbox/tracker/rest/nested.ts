import { attachmentShape, attachmentsSeen } from '../attachments/attachments.ts';
import type { Shape } from '../bugs/bugs.ts';
import { historyShape } from '../bugs/history.ts';
import { commentsSeen } from '../comments/comments.ts';
import { type FieldChoice, isWanted } from '../installation/field-choice.ts';
import { way } from '../installation/versions.ts';
import type { Call } from '../server/call.ts';
import type { TrackerBug } from '../world/state.ts';
import { commentShape } from './comments.ts';

/** What a bug can bring along on harmony, if it is asked for: its comments, the first of them, its attachments and its history. */
export function nestedShapes({ state, viewer, fields }: Call, bug: TrackerBug): Shape {
  if (!way(state, 'nested')) return {};
  const comments = commentsSeen(state, viewer, bug.id, null).map((comment) => commentShape(state, comment, below(fields, 'comments')));
  const all: Readonly<Record<string, () => unknown>> = {
    comments: () => comments,
    description: () => comments[0]?.['text'] ?? '',
    attachments: () =>
      attachmentsSeen(state, viewer, bug.id).map((attachment) => attachmentShape(state, attachment, below(fields, 'attachments'))),
    history: () => historyShape(state, viewer, bug, null)['history'],
  };
  const wanted = Object.entries(all).filter(([name]) => isWanted(fields, name, ['extra']));
  return Object.fromEntries(wanted.map(([name, shape]) => [name, shape()]));
}

/** `attachments.data` of a bug is `data` of its attachments. */
function below({ include, exclude }: FieldChoice, field: string): FieldChoice {
  const parts = (names: readonly string[]): readonly string[] =>
    names.filter((name) => name.startsWith(`${field}.`)).map((name) => name.slice(field.length + 1));
  const included = include === null || include.includes(field) ? [] : parts(include);
  return { include: included.length === 0 ? null : included, exclude: parts(exclude) };
}
