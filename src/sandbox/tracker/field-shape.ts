import type { Shape } from './bug-shape.ts';
import { choices } from './installation.ts';
import type { TrackerState } from './state.ts';
import { isOpen, resolutions, statuses, workflow } from './workflow.ts';

/** Numbers of the kinds of fields, as the interface gives them. */
const kinds = { text: 0, freeText: 1, choice: 2, keywords: 8 } as const;

/** All fields that GET /rest/field/bug lists, under their internal names. */
export function fieldShapes(state: TrackerState): readonly Shape[] {
  return [
    field(1, 'bug_id', 'Bug #', kinds.text),
    field(2, 'short_desc', 'Summary', kinds.text, { is_mandatory: true }),
    field(3, 'classification', 'Classification', kinds.choice, withValues([choice('Unclassified', 0)])),
    field(4, 'product', 'Product', kinds.choice, { is_mandatory: true, ...withValues(state.products.map(({ name }) => choice(name, 0))) }),
    field(
      5,
      'version',
      'Version',
      kinds.choice,
      ofProducts(state, ({ versions }) => versions),
    ),
    field(6, 'rep_platform', 'Platform', kinds.choice, withValues(choices.platform.values.map(sortedChoice))),
    field(8, 'op_sys', 'OS/Version', kinds.choice, withValues(choices.op_sys.values.map(sortedChoice))),
    field(9, 'bug_status', 'Status', kinds.choice, withValues(statusValues())),
    field(
      11,
      'keywords',
      'Keywords',
      kinds.keywords,
      withValues(state.keywords.map((word) => ({ ...choice(word.name, 0), description: word.description }))),
    ),
    field(12, 'resolution', 'Resolution', kinds.choice, withValues(resolutions.map(sortedChoice))),
    field(13, 'bug_severity', 'Severity', kinds.choice, withValues(choices.severity.values.map(sortedChoice))),
    field(14, 'priority', 'Priority', kinds.choice, withValues(choices.priority.values.map(sortedChoice))),
    field(
      15,
      'component',
      'Component',
      kinds.choice,
      ofProducts(state, ({ components }) => components.map(({ name }) => name)),
    ),
    field(
      30,
      'target_milestone',
      'Target Milestone',
      kinds.choice,
      ofProducts(state, ({ milestones }) => milestones),
    ),
    field(40, 'see_also', 'See Also', kinds.freeText),
  ];
}

function field(id: number, name: string, label: string, type: number, more: Shape = {}): Shape {
  return {
    id,
    name,
    display_name: label,
    type,
    is_custom: false,
    is_mandatory: false,
    is_on_bug_entry: false,
    visibility_field: null,
    visibility_values: [],
    ...more,
  };
}

const choice = (name: string | null, sortKey: number): Shape => ({ name, sort_key: sortKey, sortkey: sortKey, visibility_values: [] });
const sortedChoice = (name: string, index: number): Shape => choice(name, (index + 1) * 100);
const withValues = (values: readonly Shape[]): Shape => ({ values, value_field: null });

function ofProducts(state: TrackerState, namesOf: (product: TrackerState['products'][number]) => readonly string[]): Shape {
  const values = state.products.flatMap((product) =>
    namesOf(product).map((name) => ({ ...choice(name, 0), is_active: true, visibility_values: [product.name] })),
  );
  return { is_mandatory: true, values, value_field: 'product' };
}

/** The first row is the bug that is being filed; its name is null. */
function statusValues(): readonly Shape[] {
  return ['', ...statuses].map((status, index) => ({
    ...choice(status === '' ? null : status, index * 100),
    is_open: isOpen(status),
    can_change_to: (workflow[status] ?? []).map((name) => ({ name, comment_required: false })),
  }));
}
