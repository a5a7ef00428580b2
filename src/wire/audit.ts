/** What `audit` reads: the state, and the list of files in each attachment store. */

import type { Settings } from '../config/config.ts';
import type { AuditedPair } from '../model/reports/audit.ts';
import type { Route } from '../model/route.ts';
import type { Watch } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { checksVisibility } from '../rules/privacy/gate.ts';
import { audit, auditStore } from '../sync/withdraw/list-published.ts';
import type { Bridge } from './bridge.ts';
import { openView, type View, type ViewOptions } from './view.ts';
import { watched } from './watched.ts';

/** Whether files of the tracker are copied into a store that can be listed. */
export const hasStore = ({ attachments, direction }: Route): boolean =>
  attachments !== null && attachments.store !== 'link' && direction !== 'to-tracker';

/** The state alone, with a watch over the work on each pair. */
export function openWatchedView(settings: Settings, options: ViewOptions): View & { readonly watch: Watch } {
  const view = openView(settings, options);
  const { watch, store } = watched(view.store, settings.state, { mode: 'read', clock: view.clock, ...options });
  const close = (): void => {
    watch.close();
    view.close();
  };
  return { ...view, store, watch, close };
}

export interface AuditOptions {
  readonly store: Store;
  readonly watch: Watch;
  /** Null if a secret is missing, so that neither side can be asked. */
  readonly bridge: Bridge | null;
  /** Reads all published content again without credentials. */
  readonly isCheckingVisibility: boolean;
}

/** Everything that one route has published, pair by pair. Throws `SideError`. */
export async function* publishedOn(
  route: Route,
  { store, watch, bridge, isCheckingVisibility }: AuditOptions,
): AsyncGenerator<AuditedPair> {
  const anonymous = bridge?.routes.find(({ name }) => name === route.name)?.anonymous ?? null;
  yield* audit({ route, store, watch, against: isCheckingVisibility ? anonymous : null });
}

/** Files in the attachment store that the state does not know; or, in words, why the store was not listed. */
export async function strayFilesOn(
  route: Route,
  { store, watch, bridge, isCheckingVisibility }: AuditOptions,
): Promise<readonly AuditedPair[] | string> {
  if (!hasStore(route)) return [];
  if (bridge === null) return 'a secret of the configuration is missing';
  const found = bridge.routes.find(({ name }) => name === route.name);
  if (found === undefined) return 'the route is disabled';
  const anonymousReader = isCheckingVisibility || checksVisibility(route) ? found.anonymous : null;
  return auditStore({ route, store, watch, files: found.files, anonymousReader, tracker: found.tracker });
}
