import { spanInWords } from '../../explain/words.ts';

/** A clock that is so far ahead is nothing to speak of. */
const slackMs = 120_000;

/** The time since a moment: `12 s ago`, `never`; `2 h in the future` by a clock that is wrong or was put back. */
export function agoInWords(at: number | null, now: number): string {
  if (at === null) return 'never';
  if (at > now + slackMs) return `${spanInWords(at - now)} in the future`;
  return now - at < 2_000 ? 'just now' : `${spanInWords(now - at)} ago`;
}
