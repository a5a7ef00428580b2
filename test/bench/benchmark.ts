/** One measurement: its name and its numbers, in the order of the table. */
export interface Measured {
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
}

export interface BenchmarkOptions {
  /** The number of bugs on the tracker. */
  readonly bugs: number;
  /** The numbers of mirrored pairs to measure growth with. */
  readonly links: readonly number[];
  /** Gets the progress, in a few words. */
  readonly report: (progress: string) => void;
  /** The tracker that "peers" reads; its own sandboxes unless told. */
  readonly tracker?: { readonly url: string; readonly apiKey: string };
}

export interface Benchmark {
  readonly name: string;
  /** What it does and what its numbers mean, for readers of the help and of docs/performance.md. */
  readonly about: string;
  /** The numbers of bugs that docs/performance.md shows it with; none where only the number of links matters. */
  readonly bugsOnPage: readonly number[];
  /** Which of its numbers docs/performance.md shows; all unless told. */
  readonly onPage?: readonly string[];
  run(options: BenchmarkOptions): Promise<readonly Measured[]>;
}
