import { backfill } from './backfill.ts';
import type { Benchmark } from './benchmark.ts';
import { burst } from './burst.ts';
import { change } from './change.ts';
import { growth } from './growth.ts';
import { idle } from './idle.ts';
import { migration } from './migrate.ts';
import { importers } from './peers/importer.ts';
import { peers } from './peers/peers.ts';
import { planning } from './plan.ts';
import { read } from './read.ts';
import { state } from './state.ts';
import { latency } from './support/latency.ts';
import { writes } from './support/writes.ts';
import { sweeping } from './sweep.ts';

/** Those of docs/performance.md, in its order. */
export const benchmarks: readonly Benchmark[] = [
  idle,
  change,
  burst,
  backfill,
  writes,
  growth,
  sweeping,
  migration,
  planning,
  state,
  latency,
  read,
  peers,
  importers,
];
