/**
 * What the tracker reported as stored of pull requests and pushes, and lost: it is found, and taken back, so that it is
 * written again.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { duePulls, inVain, receiptOf, saveReceipt, withoutVain } from '../../kernel/outbox.ts';
import { spareOf } from '../../kernel/set-aside.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { ShownPull } from '../../model/pulls/pull.ts';
import type { ReportedPull } from '../../model/receipt.ts';
import { patienceMs } from '../../rules/limits/backoff.ts';
import { isSameLook } from '../../rules/links/pulls.ts';
import { pullRemark, pushRemark } from '../../text/marker.ts';
import { recordLost } from './confirm.ts';

/** These news were lost. The attachment that was to change with them shows nobody knows what. */
export function forgetNews({ store }: RouteState, id: LinkId, remark: string): void {
  for (const pull of store.pulls.ofLink(id)) {
    const told = pull.told.filter((state) => pullRemark(state, pull.url) !== remark);
    if (told.length < pull.told.length) store.pulls.save({ ...pull, told, shown: null });
  }
  for (const push of store.pushes.ofLink(id))
    if (pushRemark(push.url) === remark) store.pushes.save({ ...push, isTold: false });
}

/** Compares attachments that were changed with what they show now, in one request for all. Throws `SideError`. */
export async function confirmPulls(
  context: Context,
  links: readonly { readonly id: LinkId; readonly bug: number }[],
): Promise<void> {
  const { tracker } = context;
  const found = await tracker.shownPulls(links.map(({ bug }) => bug));
  for (const { id, bug } of links)
    spareOf(context, id, 'read', (link) => {
      for (const changed of duePulls(context, id)) judgePull(context, link, changed, found.get(bug));
    });
}

/**
 *   the attachment shows        | the change
 *   ----------------------------+------------------------------------------------------------------
 *   what it was to show         | is stored
 *   what it showed before       | is lost, and planned again
 *   something else              | is stored, and people changed it since: that stays
 *   nothing, as it is not there | has nothing to change
 *
 * What it showed before may be unknown: then everything else counts as that. A bug that cannot be read is asked for
 * again; after hours the tracker's answer is believed.
 */
function judgePull(
  context: RouteState,
  link: Link,
  changed: ReportedPull,
  all: ReadonlyMap<number, ShownPull> | undefined,
): void {
  const { store, clock } = context;
  if (all === undefined && clock.now() < changed.answeredAt + patienceMs) return;
  const receipt = receiptOf(store, link.id);
  const rest = { ...receipt, pulls: receipt.pulls.filter(({ pull }) => pull !== changed.pull) };
  const now = all?.get(changed.attachment);
  if (now === undefined || !isLost(changed, now)) {
    saveReceipt(store, withoutVain(rest, [changed.key]));
    return;
  }
  saveReceipt(store, inVain(rest, changed.key));
  for (const pull of store.pulls.ofLink(link.id))
    if (pull.number === changed.pull) store.pulls.save({ ...pull, shown: now });
  store.links.save({ ...link, urgency: 'live' });
  recordLost(context, link, { operation: 'pull' });
}

const isLost = ({ expected, replaced }: ReportedPull, now: ShownPull): boolean =>
  !isSameLook(now, expected) && (replaced.length === 0 || replaced.some((before) => isSameLook(now, before)));
