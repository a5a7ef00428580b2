import type { LabelRule } from './route.ts';

/**
 * An event on an issue's label, its type or one of its fields; for the latter two, `label` is the name of the type, or
 * the value.
 */
export interface LabelEvent {
  readonly event: 'labeled' | 'unlabeled' | 'typed' | 'untyped' | 'filled' | 'emptied';
  readonly label: string;
  /** The name of the field that was filled or emptied. */
  readonly field?: string;
}

/**
 * An event that gave an issue something else: `name` is the title, the login or the milestone; empty for none, null for
 * any.
 */
export interface ChangeEvent {
  readonly event:
    | 'renamed'
    | 'closed'
    | 'reopened'
    | 'locked'
    | 'unlocked'
    | 'assigned'
    | 'unassigned'
    | 'milestoned'
    | 'demilestoned';
  readonly name: string | null;
}

export type IssueEvent = LabelEvent | ChangeEvent;

/**
 * A change to labels, types or fields that cannot be carried to the tracker and is therefore undone.
 *
 *   one-way  the rule carries nothing back
 *   unknown  the tracker has no such value
 *   refused  the tracker refused the change
 *   needed   the field needs a value, so removing the label means nothing
 */
export interface WrongLabel extends LabelEvent {
  readonly why: 'one-way' | 'unknown' | 'refused' | 'needed';
  readonly rule: LabelRule;
}
