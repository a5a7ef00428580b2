export interface Failure {
  readonly name: string;
  readonly error: unknown;
}

/** Things that have to be given back when the process ends: schedules, servers, the database. */
export interface Releasers {
  add(name: string, release: () => void | Promise<void>): void;
  /** Releases everything, the newest first. Further calls get the same answer. */
  release(): Promise<readonly Failure[]>;
}

/**
 * Every releaser is tried, whatever happens to the others. The time limit is for all of them together, because whoever asked us to stop
 * will not wait longer: once it has passed, the rest are still started, but not waited for.
 */
export function releasers(timeLimitMs: number): Releasers {
  const waiting: { readonly name: string; readonly release: () => void | Promise<void> }[] = [];
  let released: Promise<readonly Failure[]> | null = null;

  const releaseAll = async (): Promise<readonly Failure[]> => {
    const failures: Failure[] = [];
    const limit = timeLimit(timeLimitMs);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { name, release } = next;
      try {
        await Promise.race([(async () => release())(), limit.passed]);
      } catch (error) {
        failures.push({ name, error });
      }
    }
    limit.clear();
    return failures;
  };

  return {
    add: (name, release) => waiting.push({ name, release }),
    release: () => {
      released ??= releaseAll();
      return released;
    },
  };
}

function timeLimit(ms: number): { readonly passed: Promise<never>; readonly clear: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when the time is up.
  promise.catch(() => {});
  const timer = setTimeout(() => reject(new Error(`not finished within ${ms} ms`)), ms);
  return { passed: promise, clear: () => clearTimeout(timer) };
}
