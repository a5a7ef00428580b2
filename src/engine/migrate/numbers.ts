import type { PublicTarget } from '../../core/gate.ts';
import type { Sight } from '../../core/sight.ts';
import type { IssueNumber, LinkId } from '../../model/ids.ts';
import type { ImportHome } from '../../model/importer.ts';
import type { Context } from '../context.ts';
import { repoOf } from '../observe.ts';

/**
 * Lets texts refer to issues by the numbers that they are known to have, or are to get, before any reading has shown them.
 * @param numberOf the number of a link's issue; null when it is not known
 */
export function withNumbers(
  context: Context,
  { url }: ImportHome,
  sights: readonly Sight[],
  numberOf: (link: LinkId) => IssueNumber | null,
): readonly Sight[] {
  const known = (target: PublicTarget): PublicTarget => {
    if (target.issue !== null || target.bug === null || target.repo !== repoOf(context)) return target;
    const link = context.store.links.byBug(target.bug);
    const issue = link === null ? null : numberOf(link.id);
    return issue === null ? target : { ...target, issue, issueUrl: `${url}/issues/${issue}` };
  };
  return sights.map((sight) => ({ ...sight, targets: sight.targets.map(known) }));
}
