import type { RouteState } from '../kernel/context.ts';
import { repoOf } from '../kernel/linked.ts';
import type { IssueNumber, LinkId } from '../model/ids.ts';
import type { ImportHome } from '../model/migration.ts';
import type { PlanInput } from '../model/plan/plan-input.ts';
import type { PublicTarget } from '../model/plan/public.ts';

/**
 * Lets texts refer to issues by their known or future numbers, before any read has shown them.
 * @param numberOf the number of a link's issue; null when unknown
 */
export function withNumbers(
  context: RouteState,
  { url }: ImportHome,
  inputs: readonly PlanInput[],
  numberOf: (link: LinkId) => IssueNumber | null,
): readonly PlanInput[] {
  const known = (target: PublicTarget): PublicTarget => {
    if (target.issue !== null || target.bug === null || target.repo !== repoOf(context)) return target;
    const link = context.store.links.byBug(target.bug);
    const issue = link === null ? null : numberOf(link.id);
    return issue === null ? target : { ...target, issue, issueUrl: `${url}/issues/${issue}` };
  };
  return inputs.map((input) => ({ ...input, targets: input.targets.map(known) }));
}
