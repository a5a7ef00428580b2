/** All benchmarks, in the order of docs/performance.md. */

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
import { sweeping } from './sweep.ts';

export const benchmarks: readonly Benchmark[] = [
  idle,
  change,
  burst,
  backfill,
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
