import type { Shape } from '../bugs/bugs.ts';
import type { CustomField, Milestone, Part, Product, TrackerState } from '../world/state.ts';
import { choicesIn } from './installation.ts';
import { byId, compareMilestones } from './product-parts.ts';
import { maySeeProduct, type Viewer } from './users.ts';
import { way } from './versions.ts';
import { isOpen, resolutions, statuses, workflow } from './workflow.ts';

/** The numbers of the kinds of fields in the interface. */
const kinds = { text: 0, choice: 2, time: 5, urls: 7, keywords: 8 } as const;

/** The fields of every installation, in the order of their ids, which start at 1: internal name and label. */
const plainFields: readonly (readonly [name: string, label: string])[] = [
  ['bug_id', 'Bug #'],
  ['short_desc', 'Summary'],
  ['classification', 'Classification'],
  ['product', 'Product'],
  ['version', 'Version'],
  ['rep_platform', 'Platform'],
  ['bug_file_loc', 'URL'],
  ['op_sys', 'OS/Version'],
  ['bug_status', 'Status'],
  ['status_whiteboard', 'Status Whiteboard'],
  ['keywords', 'Keywords'],
  ['resolution', 'Resolution'],
  ['bug_severity', 'Severity'],
  ['priority', 'Priority'],
  ['component', 'Component'],
  ['assigned_to', 'AssignedTo'],
  ['reporter', 'ReportedBy'],
  ['qa_contact', 'QAContact'],
  ['assigned_to_realname', 'AssignedToName'],
  ['reporter_realname', 'ReportedByName'],
  ['qa_contact_realname', 'QAContactName'],
  ['cc', 'CC'],
  ['dependson', 'Depends on'],
  ['blocked', 'Blocks'],
  ['attachments.description', 'Attachment description'],
  ['attachments.filename', 'Attachment filename'],
  ['attachments.mimetype', 'Attachment mime type'],
  ['attachments.ispatch', 'Attachment is patch'],
  ['attachments.isobsolete', 'Attachment is obsolete'],
  ['attachments.isprivate', 'Attachment is private'],
  ['attachments.submitter', 'Attachment creator'],
  ['target_milestone', 'Target Milestone'],
  ['creation_ts', 'Creation date'],
  ['delta_ts', 'Last changed date'],
  ['longdesc', 'Comment'],
  ['longdescs.isprivate', 'Comment is private'],
  ['longdescs.count', 'Number of Comments'],
  ['alias', 'Alias'],
  ['everconfirmed', 'Ever Confirmed'],
  ['reporter_accessible', 'Reporter Accessible'],
  ['cclist_accessible', 'CC Accessible'],
  ['bug_group', 'Group'],
  ['estimated_time', 'Estimated Hours'],
  ['remaining_time', 'Remaining Hours'],
  ['deadline', 'Deadline'],
  ['commenter', 'Commenter'],
  ['flagtypes.name', 'Flags'],
  ['requestees.login_name', 'Flag Requestee'],
  ['setters.login_name', 'Flag Setter'],
  ['work_time', 'Hours Worked'],
  ['percentage_complete', 'Percentage Complete'],
  ['content', 'Content'],
  ['attach_data.thedata', 'Attachment data'],
  ['owner_idle_time', 'Time Since Assignee Touched'],
  ['see_also', 'See Also'],
  ['tag', 'Personal Tags'],
  ['last_visit_ts', 'Last Visit'],
  ['comment_tag', 'Comment Tag'],
  ['days_elapsed', 'Days since bug changed'],
];

/** Names of the interface that differ from the internal ones. */
const internalNames: ReadonlyMap<string, string> = new Map([
  ['status', 'bug_status'],
  ['severity', 'bug_severity'],
  ['platform', 'rep_platform'],
  ['summary', 'short_desc'],
]);

export const internalName = (name: string): string => internalNames.get(name) ?? name;

/** All fields that GET /rest/field/bug lists, under their internal names. */
export function fieldShapes(state: TrackerState, viewer: Viewer): readonly Shape[] {
  const special = specialFields(state, viewer);
  const types = way(state, 'types');
  // Harmony requires a type for every bug, but does not list it as mandatory.
  const names = types.length === 0 ? plainFields : withType;
  const typed: Readonly<Record<string, Shape>> = {
    ...special,
    ...(types.length === 0 ? {} : { bug_type: withValues(types.map(sortedChoice)) }),
  };
  const plain = names.map(([name, label], index) => field(index + 1, name, label, typed[name] ?? {}));
  const customs = state.customFields.map((custom, index) => customShape(plain.length + 1 + index, custom));
  const [id, ...others] = plain;
  return [...(id === undefined ? [] : [id]), ...customs, ...others];
}

/** The type stands before the status. */
const withType = plainFields.flatMap((row) => (row[0] === 'bug_status' ? [['bug_type', 'Type'] as const, row] : [row]));

const customKinds: Readonly<Record<CustomField['kind'], number>> = {
  text: 1,
  select: 2,
  multi: 3,
  textarea: 4,
  datetime: 5,
  bug: 6,
  date: 9,
  integer: 10,
};

function customShape(id: number, { name, label, kind, values, isMandatory, isFixed }: CustomField): Shape {
  const chosen = values.length === 0 ? {} : withValues(ordered(values));
  return field(id, name, label, {
    ...chosen,
    type: customKinds[kind],
    is_custom: true,
    is_on_bug_entry: isFixed !== true,
    is_mandatory: isMandatory === true,
  });
}

/** No choice comes first; the others have one place and so stand by name. */
function ordered(values: readonly string[]): readonly Shape[] {
  const [none, others] = [
    values.filter((value) => value === '---'),
    values.filter((value) => value !== '---').toSorted(),
  ];
  return [...none.map((value) => choice(value, 0)), ...others.map((value) => choice(value, 10))];
}

function field(id: number, name: string, label: string, more: Shape): Shape {
  return {
    id,
    name,
    display_name: label,
    type: kinds.text,
    is_custom: false,
    is_mandatory: false,
    is_on_bug_entry: false,
    visibility_field: null,
    visibility_values: [],
    ...more,
  };
}

function specialFields(state: TrackerState, viewer: Viewer): Readonly<Record<string, Shape>> {
  const choices = choicesIn(state);
  return {
    short_desc: { is_mandatory: true },
    classification: withValues([choice('Unclassified', 0)]),
    product: { is_mandatory: true, type: kinds.choice },
    version: { is_mandatory: true, ...ofProducts(state, viewer, ({ versions }) => versions, byId) },
    component: {
      is_mandatory: true,
      ...ofProducts(state, viewer, ({ components }) => components, byId),
      type: kinds.choice,
    },
    target_milestone: ofProducts(state, viewer, ({ milestones }) => milestones, compareMilestones),
    rep_platform: withValues(choices.platform.values.map(sortedChoice)),
    op_sys: withValues(choices.op_sys.values.map(sortedChoice)),
    bug_severity: withValues(choices.severity.values.map(sortedChoice)),
    priority: withValues(choices.priority.values.map(sortedChoice)),
    resolution: withValues(resolutions.map(sortedChoice)),
    bug_status: withValues(statusValues(state)),
    keywords: {
      ...withValues(state.keywords.map(({ name, description }) => ({ name, description }))),
      type: kinds.keywords,
    },
    see_also: { type: kinds.urls },
    tag: { type: kinds.keywords },
    deadline: { type: kinds.time },
    last_visit_ts: { type: kinds.time },
  };
}

const choice = (name: string | null, sortKey: number): Shape => ({
  name,
  sort_key: sortKey,
  sortkey: sortKey,
  visibility_values: [],
});
const sortedChoice = (name: string, index: number): Shape => choice(name, (index + 1) * 100);
const withValues = (values: readonly Shape[]): Shape => ({ type: kinds.choice, values, value_field: null });

/**
 * Values that belong to products, for the products that the viewer may see, in one order across products. Only
 * components count as a choice.
 */
function ofProducts<T extends Part & Partial<Milestone>>(
  state: TrackerState,
  viewer: Viewer,
  partsOf: (product: Product) => readonly T[],
  order: (one: T, other: T) => number,
): Shape {
  const active = way(state, 'activeValues') ? { is_active: true } : {};
  const rows = state.products
    .filter((product) => maySeeProduct(viewer, product))
    .flatMap((product) => partsOf(product).map((part) => ({ part, product })));
  const values = rows
    .toSorted((one, other) => order(one.part, other.part))
    .map(({ part, product }) => ({
      ...choice(part.name, part.sortKey ?? 0),
      ...active,
      visibility_values: [product.name],
    }));
  return { values, value_field: 'product' };
}

const statusNames = (state: TrackerState): readonly string[] =>
  way(state, 'namelessStatus') ? ['', ...statuses] : statuses;

/** The first row is a bug that is being filed, where it is shown; its name is null. */
function statusValues(state: TrackerState): readonly Shape[] {
  return statusNames(state).map((status) => ({
    ...choice(status === '' ? null : status, (statuses.indexOf(status) + 1) * 100),
    is_open: isOpen(status),
    can_change_to: (workflow[status] ?? []).map((name) => ({ name, comment_required: false })),
  }));
}
