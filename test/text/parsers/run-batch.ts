import { parentPort } from 'node:worker_threads';
import { copiesOf, liveIn, ours } from './hold-silent.ts';

/** Seeds that one of the threads of `npm run texts` reads at once. */
export interface Batch {
  readonly from: number;
  readonly count: number;
}

export interface Failure {
  readonly seed: number;
  readonly words: string;
}

parentPort?.on('message', ({ from, count }: Batch) => {
  const failures: readonly Failure[] = [...liveIn(copiesOf(ours, from, count))].map(({ index, words }) => ({
    seed: from + index,
    words,
  }));
  parentPort?.postMessage(failures);
});
