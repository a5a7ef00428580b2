import { type Observation, untried } from '../case.ts';
import type { FieldOfHome } from '../fields-of-home.ts';
import type { Answer } from '../port.ts';
import { NoScratch, type Scratch } from '../scratch.ts';
import { numberAt } from '../value.ts';

export async function madeLabel({ post, fresh }: Scratch): Promise<string> {
  const name = fresh('label');
  const made = await post('/labels', { name, color: 'ededed' });
  if (made.taken !== 'answered') throw new NoScratch(made.why ?? 'a label could not be made');
  return name;
}

export async function madeMilestone({ post, fresh }: Scratch): Promise<number> {
  const made = await post('/milestones', { title: fresh('milestone') });
  if (made.taken !== 'answered') throw new NoScratch(made.why ?? 'a milestone could not be made');
  return numberAt(made.data, 'number');
}

export function minimizing(node: string): string {
  return `mutation { minimizeComment(input: { subjectId: ${JSON.stringify(node)}, classifier: OUTDATED }) { minimizedComment { isMinimized minimizedReason } } }`;
}

export function unminimizing(node: string): string {
  return `mutation { unminimizeComment(input: { subjectId: ${JSON.stringify(node)} }) { unminimizedComment { isMinimized } } }`;
}

export interface ChosenField extends FieldOfHome {
  readonly option: string;
}

const hasOption = (field: FieldOfHome): field is ChosenField => field.option !== null;

/** Observes with a field that has options, if the owner has one. */
export const withOption =
  (observe: (scratch: Scratch, field: ChosenField) => Promise<Observation>) =>
  async (scratch: Scratch): Promise<Observation> => {
    const field = scratch.home.fields.find(hasOption);
    return field === undefined ? untried('no field has options') : observe(scratch, field);
  };

export const valuesWith = ({ id, kind }: FieldOfHome, option: string) => [
  { field_id: id, value: kind === 'multi_select' ? [option] : option },
];

export function setOption({ post }: Scratch, issue: number, field: FieldOfHome, option: string): Promise<Answer> {
  return post(`/issues/${issue}/issue-field-values`, { issue_field_values: valuesWith(field, option) });
}
