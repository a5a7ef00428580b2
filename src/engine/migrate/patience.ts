import { SideError } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import type { Station } from '../daemon.ts';
import { keepPause, pauseInForce } from '../pause.ts';
import type { Migration } from './migration.ts';

/** How often a read is tried again that fails without saying for how long. */
const failuresMax = 12;
const firstMs = 2_000;
const longestMs = 120_000;

/**
 * Reads, and goes on trying while a side asks for a pause or cannot be reached: a migration has nothing else to do. Throws `SideError`
 * when it is refused, or fails for too long.
 */
export async function patiently<T>(migration: Migration, read: () => Promise<T>): Promise<T> {
  const { context } = migration;
  for (let failures = 1; ; failures += 1) {
    await waitForPause(migration);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later' || failures >= failuresMax) throw error;
      keepPause({ ...context, name: context.route.name }, error);
      if (error.at === null) await waitUntil(migration, context.clock.now() + delayMs(failures), error.message);
    }
  }
}

/** Sleeps while either side has asked for a pause. */
export async function waitForPause(migration: Migration): Promise<void> {
  for (let pause = pauseInForce(migration.context); pause !== null; pause = pauseInForce(migration.context)) {
    await waitUntil(migration, pause.until, pause.why);
  }
}

export async function waitUntil({ context, tell }: Migration, until: number, why: string): Promise<void> {
  tell({ kind: 'waiting', route: context.route.name, until, why });
  await context.clock.sleep(Math.max(1, until - context.clock.now()));
}

const delayMs = (failures: number): number => Math.min(longestMs, firstMs * 2 ** (failures - 1));

const greetingsMax = 3;

/** The context of a route, although the first greeting may fail: a migration is started once, and not by a clock. */
export async function greeted({ context, clock }: Pick<Station, 'context' | 'clock'>): Promise<Context> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await context();
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later' || failures >= greetingsMax) throw error;
      await clock.sleep(Math.max(delayMs(failures), (error.at ?? 0) - clock.now()));
    }
  }
}
