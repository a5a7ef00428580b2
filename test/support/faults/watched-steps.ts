import { afterAll } from 'vitest';
import { bugId } from '../../../src/model/ids.ts';
import type { Watch, WatchedWork } from '../../../src/model/runtime.ts';
import type { Store } from '../../../src/model/store.ts';
import { watchWith } from '../../../src/runtime/watchdog.ts';
import { itemOf, onStep } from './steps.ts';

/** Watches work as a process does, as long as the tests of a file run. */
export function watchSteps(): Watch & { readonly blamed: () => WatchedWork | undefined } {
  let at: WatchedWork | undefined;
  const { during, unhook } = watchWith((work) => {
    at = work;
  });
  afterAll(() => {
    unhook();
    onStep(null);
  });
  return { during, blamed: () => at };
}

/**
 * Nothing comes after the net but the store, and a row for what is set aside has to be written somehow. An audit, which
 * writes nothing, has a net of its own.
 */
export const isNet = (step: string): boolean =>
  /^kernel\/(?:set-aside|spare-comments)\.ts:/u.test(step) || step === 'sync/withdraw/list-published.ts:judging';

/** Calls this at each step on the pair of bug 2 alone, until `onStep(null)`. */
export function onPoisonedStep({ links }: Pick<Store, 'links'>, listen: (step: string) => void): void {
  const isPoisoned = (name: string): boolean => {
    const link = links.byBug(bugId(2));
    return [`link ${link?.id}`, 'bug 2', `issue ${link?.issue}`].includes(name);
  };
  onStep((step, given) => {
    const item = isNet(step) ? [] : itemOf(given);
    if (item.length > 0 && item.every(isPoisoned)) listen(step);
  });
}

/** The places in the copy that led here. */
export const callersHere = (): string =>
  [...String(new Error('here').stack).matchAll(/\.planted\/[^/]+\/(\S+?:\d+)/gu)].map(([, place]) => place).join(' < ');
