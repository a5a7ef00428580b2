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
