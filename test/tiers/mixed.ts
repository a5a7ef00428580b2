/** Tests that start processes, servers and pages, and mostly wait for them. The others compute. */
const isWaiting = (path: string): boolean => /(?:^|\/)test\/(?:cli|deploy|docs|e2e|live|soak)\//u.test(path);

/** In turns one that waits and one that computes, so that no core rests and none has more to do than the others. */
export function mixed<T>(all: readonly T[], pathOf: (each: T) => string): readonly T[] {
  const [waits, computes] = [
    all.filter((each) => isWaiting(pathOf(each))),
    all.filter((each) => !isWaiting(pathOf(each))),
  ];
  const length = Math.max(waits.length, computes.length);
  return Array.from({ length }, (_, index) => [
    ...waits.slice(index, index + 1),
    ...computes.slice(index, index + 1),
  ]).flat();
}
