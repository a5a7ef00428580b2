import type { Retirement } from '../../model/survey.ts';
import type { RawAnswer } from './classify-answer.ts';

/**
 * What an answer says of the end of the interface version that it serves: `Deprecation` (RFC 9745, `@` and seconds;
 * older servers write a date) and `Sunset` (RFC 8594, a date). Null if it says nothing.
 */
export function retirementIn(headers: RawAnswer['headers']): Retirement | null {
  const [since, ends] = [headers['deprecation'], headers['sunset']];
  return since === undefined && ends === undefined ? null : { sinceAt: timeOf(since), endsAt: timeOf(ends) };
}

function timeOf(header: string | number | undefined): number | null {
  const text = String(header ?? '');
  const at = /^@\d+$/u.test(text) ? Number(text.slice(1)) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
