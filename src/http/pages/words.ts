/** A clock that is so far ahead is nothing to speak of. */
const slackMs = 120_000;

/** The time since a moment: `12 s ago`, `never`; `2 h in the future` by a clock that is wrong or was put back. */
export function agoInWords(at: number | null, now: number): string {
  if (at === null) return 'never';
  if (at > now + slackMs) return `${spanInWords(at - now)} in the future`;
  return now - at < 2_000 ? 'just now' : `${spanInWords(now - at)} ago`;
}

export function spanInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
