import { bugId, issueNumber, type Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Context } from './context.ts';

export const repoOf = ({ route }: Pick<Context, 'route'>): string => `${route.owner}/${route.repo}`;

export function linkOf(context: Pick<Context, 'route' | 'store'>, side: Side, ref: number): Link | null {
  const { links } = context.store;
  return side === 'tracker' ? links.byBug(bugId(ref)) : links.byIssue(repoOf(context), issueNumber(ref));
}
