import { bugValueNames, type CustomName } from './item.ts';

/**
 * What both sides can express, as comparable values:
 *
 *   title     the canonical summary
 *   status    a view (see core/status.ts), such as `open`, `open: status: in progress`, `completed`
 *   component, severity ...   the tracker's value; null when GitHub shows none
 *   keywords  the tracker's names, sorted
 *   whiteboard  the tags in it, sorted
 *   cf_...    a custom field: the chosen value, null for none; or the chosen values, sorted
 *   assignee  the GitHub login of somebody whom the route's people name; null is nobody
 *   milestone the tracker's name; null is none
 *   dependsOn ids of bugs that both sides can name, as text
 *   table     the folded table of the issue as Markdown, which is the tracker's alone; null is none
 *
 * A field that is absent takes no part: the route does not map it, or the side does not show it.
 */
export const fieldNames = [
  'title',
  'status',
  ...bugValueNames,
  'keywords',
  'whiteboard',
  'assignee',
  'milestone',
  'dependsOn',
  'table',
] as const;
export type FieldName = (typeof fieldNames)[number] | CustomName;

export type Value = string | null | readonly string[];
export type Fields = Readonly<Partial<Record<FieldName, Value>>>;
