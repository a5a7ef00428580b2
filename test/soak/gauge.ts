import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds, as Linux tells it. */
export interface Sample {
  readonly at: number;
  /** Bytes of memory that are its own or shared. */
  readonly memory: number;
  /** Open files and sockets. */
  readonly handles: number;
}

/** Null once the process is gone, and where there is no /proc. */
export function sampleOf(pid: number, at: number): Sample | null {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { at, memory: Number(kilobytes) * 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/** How much a process may grow between the second and the last quarter of its life: what a heap does by itself. */
const growthMax = 48_000_000;
const growthShareMax = 0.3;
const handlesMoreMax = 10;

/**
 * In a shorter life most of the growth is that of any start: code is compiled, caches fill, connections open when they
 * are first needed.
 */
const lifeMinMs = 60_000;

/** What is wrong with the samples of one life, in words. The first quarter is left out. */
export function growthIn(samples: readonly Sample[]): readonly string[] {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < lifeMinMs) return [];
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const [memory, memoryLater] = [median(early.map((each) => each.memory)), median(late.map((each) => each.memory))];
  const [handles, handlesLater] = [median(early.map((each) => each.handles)), median(late.map((each) => each.handles))];
  const grown = memoryLater - memory;
  return [
    ...(grown > growthMax && grown > memory * growthShareMax
      ? [`memory grew from ${megabytes(memory)} to ${megabytes(memoryLater)}`]
      : []),
    ...(handlesLater - handles > handlesMoreMax ? [`open handles grew from ${handles} to ${handlesLater}`] : []),
  ];
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
