/** Numbers in [0, 1), to spread what would otherwise be tried again all at once. */
export const systemRandom = (): number => Math.random();
