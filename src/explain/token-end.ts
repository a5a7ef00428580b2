import { type Greetings, tokenEnd } from '../model/survey.ts';

/** When GitHub's token expires, as it said at the last login; null if it does not, or did not say. */
export function tokenEndIn(greetings: Greetings): number | null {
  const endsAt = greetings.get(tokenEnd)?.content;
  return typeof endsAt === 'number' ? endsAt : null;
}

export function keepTokenEnd(greetings: Greetings, endsAt: number | null, now: number): void {
  if (endsAt !== tokenEndIn(greetings)) greetings.save(tokenEnd, { at: now, content: endsAt });
}
