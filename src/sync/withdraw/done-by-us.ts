import type { Context } from '../../kernel/context.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { IssueNumber } from '../../model/ids.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';

/** Whether our own account was the last to lock or unlock an issue. Null if GitHub does not say it now. */
export async function isDoneByUs(
  { github, session }: Context,
  issue: IssueNumber,
  event: 'locked' | 'unlocked',
): Promise<boolean | null> {
  const own = session.own.github;
  if (own === null) return false;
  const actors = await github.lastActors(issue, [[{ event, name: null }]]).catch(ofIssue);
  if (actors instanceof SideError) return actors.kind === 'later' ? null : false;
  return isLogin(actors?.[0]?.login ?? '', own);
}
