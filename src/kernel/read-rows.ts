import { Endless } from '../model/answers/fault.ts';
import type { RowReader, Watch } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { digestOf } from '../text/canonical.ts';

interface Reading {
  readonly route: string;
  readonly version: string;
  readonly store: Pick<Store, 'setAside'>;
  readonly watch: Watch;
}

/** Reads the rows of a route's answers, each under its own watch: before they are read, nothing else knows of them. */
export const rowReader = ({ route, version: ours, store, watch }: Reading): RowReader => ({
  read({ version, ...about }, work) {
    const row = digestOf(JSON.stringify(version));
    if (store.setAside.isBlocked({ route, side: about.side, ref: about.ref, row, version: ours })) throw new Endless();
    return watch.during({ route, ...about, stage: 'read', row }, work);
  },
});
