/** What `audit` reads: the state, and the list of files in each attachment store. */

import type { AuditedPair } from '../model/reports/audit.ts';
import type { Route } from '../model/route.ts';
import type { Store } from '../model/store.ts';
import { checksVisibility } from '../rules/privacy/gate.ts';
import { audit, auditStore } from '../sync/withdraw/list-published.ts';
import type { Bridge } from './bridge.ts';

/** Whether files of the tracker are copied into a store that can be listed. */
export const hasStore = ({ attachments, direction }: Route): boolean =>
  attachments !== null && attachments.store !== 'link' && direction !== 'to-tracker';

export interface AuditOptions {
  readonly store: Store;
  /** Null if a secret is missing, so that neither side can be asked. */
  readonly bridge: Bridge | null;
  /** Reads all published content again without credentials. */
  readonly isCheckingVisibility: boolean;
}

/** Everything that one route has published, pair by pair. Throws `SideError`. */
export async function* publishedOn(
  route: Route,
  { store, bridge, isCheckingVisibility }: AuditOptions,
): AsyncGenerator<AuditedPair> {
  const anonymous = bridge?.routes.find(({ name }) => name === route.name)?.anonymous ?? null;
  yield* audit({ route, store, against: isCheckingVisibility ? anonymous : null });
}

/** Files in the attachment store that the state does not know; or, in words, why the store was not listed. */
export async function strayFilesOn(
  route: Route,
  { store, bridge, isCheckingVisibility }: AuditOptions,
): Promise<readonly AuditedPair[] | string> {
  if (!hasStore(route)) return [];
  if (bridge === null) return 'a secret of the configuration is missing';
  const found = bridge.routes.find(({ name }) => name === route.name);
  if (found === undefined) return 'the route is disabled';
  const anonymousReader = isCheckingVisibility || checksVisibility(route) ? found.anonymous : null;
  return auditStore({ route, store, files: found.files, anonymousReader });
}
