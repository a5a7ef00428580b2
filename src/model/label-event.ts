import type { LabelRule } from './route.ts';

/** What somebody did to a label of an issue, or to its type or a field: `label` is then the name of the type, or the value. */
export interface LabelEvent {
  readonly deed: 'labeled' | 'unlabeled' | 'typed' | 'untyped' | 'filled' | 'emptied';
  readonly label: string;
  /** The name of the field that was filled or emptied. */
  readonly field?: string;
}

/**
 * What people did to labels, types and fields that cannot travel to the tracker, so that it is undone.
 *
 *   one-way  the rule lets nothing travel back
 *   unknown  the tracker has no such value
 *   refused  the tracker was asked, and said no
 *   needed   the field cannot be without a value, so a missing label says nothing
 */
export interface WrongLabel extends LabelEvent {
  readonly why: 'one-way' | 'unknown' | 'refused' | 'needed';
  readonly rule: LabelRule;
}
