import { SideError } from '../model/outcome.ts';
import type { Context } from './context.ts';
import { resync } from './resync.ts';
import { retry } from './retry.ts';

/**
 * Does what people asked for since the last cycle. What a side puts off waits in the box for the next cycle; what it refuses is forgotten,
 * so that it stops no other cycle. Throws `SideError`.
 */
export async function runErrands(context: Context): Promise<void> {
  for (const { errand, done } of context.errands?.of(context.route.name) ?? []) {
    try {
      if (errand.kind === 'retry') retry(context, errand.numbers);
      else await resync(context, errand.side, errand.ref);
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later') done();
      throw error;
    }
    done();
  }
}
