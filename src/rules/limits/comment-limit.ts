/** GitHub accepts so many comments on an issue, 2,500 in 2026, and says the number only when it refuses another one. */
const words = /commenting is disabled on issues with more than ([\d,]+) comments/iu;

/** The limit that a refusal names; null for another refusal. */
export function commentLimitIn(why: string | null): number | null {
  const said = words.exec(why ?? '')?.[1];
  return said === undefined ? null : Number(said.replaceAll(',', ''));
}
