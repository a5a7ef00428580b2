export interface Failure {
  readonly name: string;
  readonly error: unknown;
}

/** Resources to release when the process ends: schedules, servers, the database. */
interface Releasers {
  add(name: string, release: () => void | Promise<void>): void;
  /** Releases everything, newest first. Later calls return the same result. */
  release(): Promise<readonly Failure[]>;
}

/**
 * Runs every releaser, even if others fail. All share one time limit, as the process that stops us does not wait
 * longer: after it, the rest are still started but not awaited.
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
  // The promise may have no handler when the time is up.
  promise.catch(() => {});
  const timer = setTimeout(() => reject(new Error(`not finished within ${ms} ms`)), ms);
  return { passed: promise, clear: () => clearTimeout(timer) };
}
