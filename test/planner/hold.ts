/** Throws when an invariant does not hold. */
export function hold(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

export const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
