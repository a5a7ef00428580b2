/** Looks how much of the heap is in use, again and again, until it is told to end; answers by how many bytes that grew at most. */
export function heapPeak(): { end(): number } {
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  let peak = heapUsed;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  };
  const timer = setInterval(look, 5);
  return {
    end() {
      clearInterval(timer);
      look();
      return peak - heapUsed;
    },
  };
}
