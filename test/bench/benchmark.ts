/** One thing that was measured: its name and its numbers, in the order in which they are shown. */
export interface Measured {
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
}

export interface BenchmarkOptions {
  /** How many bugs the tracker has. */
  readonly bugs: number;
  /** How many pairs are remembered, for what may grow with that. */
  readonly links: readonly number[];
  /** Told how far it is, in a few words. */
  readonly tell: (progress: string) => void;
}

export interface Benchmark {
  readonly name: string;
  /** What it does, and what its numbers mean, for who runs it. */
  readonly about: string;
  run(options: BenchmarkOptions): Promise<readonly Measured[]>;
}
