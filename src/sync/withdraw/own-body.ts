/** Whose words stand under a private description, where an older state takes them for the description itself. */

import type { Context, RouteState } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { bodyId, type Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import type { Withdrawal } from '../../model/plan/withdrawal.ts';
import type { BodyVersion } from '../../model/replica.ts';
import { bodyDigest } from '../../rules/comments/body.ts';
import { commentAfter } from '../../rules/comments/life.ts';
import { sameText, saysNothing } from '../../rules/privacy/neutral.ts';
import { withoutFooter } from '../../text/footer.ts';

/** Without the withdrawal of a body that people wrote, as is known by now. */
export function exceptOwnBody({ store }: RouteState, link: Link, list: readonly Withdrawal[]): readonly Withdrawal[] {
  if (!list.some(({ what }) => what === 'text') || link.github === null) return list;
  const digest = bodyDigest(link.github.body);
  const isKnown = store.ledger.ofLink(link.id).some(({ detail }) => detail['bodyOfPeople'] === digest);
  return isKnown ? list.filter(({ what }) => what !== 'text') : list;
}

/**
 * Asks GitHub what our account wrote last into a body that is about to be withdrawn. If that says nothing of the
 * description, only people have written there since, and their words stay. In doubt they go: they may have edited the
 * description.
 */
export async function askWhoseBody(context: Context, link: Link): Promise<void> {
  const { store, github, session } = context;
  const { issue, github: shown } = link;
  const own = session.own.github;
  if (issue === null || shown === null || own === null) return;
  const versions = await github.bodyVersions(issue).catch(ofSide);
  if (versions === null || versions instanceof SideError) return;
  const emptied = emptiedBefore(versions, shown.body, own.login);
  if (emptied === null) return;
  store.transaction(() => {
    for (const row of store.commentLinks.ofLink(link.id))
      if (row.origin === 'tracker' && row.copy?.id === bodyId)
        store.commentLinks.save(commentAfter(row, { kind: 'redacted', digest: bodyDigest(emptied) }));
    const why = 'as GitHub says; the state is older than that';
    store.ledger.add(lineOf(context, link, 'settle', { why, bodyOfPeople: bodyDigest(shown.body) }));
  });
}

/** Whatever GitHub fails on delays no withdrawal. */
function ofSide(failure: unknown): SideError {
  if (failure instanceof SideError) return failure;
  throw failure;
}

/** The body without a description over which people wrote what it shows; null if they did not, or nobody knows. */
function emptiedBefore(versions: readonly BodyVersion[], body: string, own: string): string | null {
  const last = versions.findIndex(({ login }) => login === null || isLogin(login, own));
  const { login = null, text = null } = versions[last] ?? {};
  if (last < 1 || login === null || text === null || !sameText(body, versions[0]?.text ?? '')) return null;
  return saysNothing(withoutFooter(text)) ? text : null;
}
