import type { Context } from '../../kernel/context.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { IssueNumber } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import { type Outcome, SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';

type Event = 'locked' | 'unlocked';

/** Who was the last to lock or unlock an issue; GitHub may not name them now, or ever. */
async function whoDid(
  { github, session }: Context,
  issue: IssueNumber,
  event: Event,
): Promise<'us' | 'others' | 'later' | 'unknown'> {
  const own = session.own.github;
  if (own === null) return 'unknown';
  const actors = await github.lastActors(issue, [[{ event, name: null }]]).catch(ofIssue);
  if (actors instanceof SideError) return actors.kind === 'later' ? 'later' : 'unknown';
  const [actor] = actors ?? [];
  return (actor?.login ?? '') === '' ? 'unknown' : isBy(actor, own) ? 'us' : 'others';
}

/** Whether our own account was the last to lock or unlock an issue. Null if GitHub does not say it now. */
export async function isDoneByUs(context: Context, issue: IssueNumber, event: Event): Promise<boolean | null> {
  const who = await whoDid(context, issue, event);
  return who === 'later' ? null : who === 'us';
}

/** Unlocks an issue whose bug may be shown again, unless people locked it. Returns the issue as it then is. */
export async function unlock(context: Context, issue: Issue): Promise<Outcome<Issue>> {
  const who = await whoDid(context, issue.number, 'locked');
  if (who === 'others') return { kind: 'applied', item: issue };
  if (who === 'later') return { kind: 'later', at: null, wholeSide: false, why: 'GitHub does not say who locked it' };
  const outcome = await context.github.lock(issue.number, false);
  return outcome.kind === 'applied' ? { kind: 'applied', item: { ...issue, isLocked: false } } : outcome;
}
