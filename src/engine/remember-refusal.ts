import type { Refusal } from '../core/brake.ts';
import type { Refused } from '../model/store.ts';
import type { Context } from './context.ts';

/** Tells that the brake holds something back, and keeps it for whoever asks how things stand; forgets it once that goes through. */
export function rememberRefusal({ store, route, clock, tell }: Context, of: Refused['of'], refusal: Refusal | null): void {
  if (refusal === null) {
    store.refusals.remove(route.name, of);
    return;
  }
  store.refusals.save(route.name, { of, at: clock.now(), why: refusal.why });
  tell({ kind: 'refused', route: route.name, refusal });
}
