import { guesses } from './guesses.ts';

/** What the server's parser of JSON says about a text, from what ours says. */
export function jsonError(text: string, cause: unknown): string {
  const why = cause instanceof Error ? cause.message : '';
  const at = Number(/at position (\d+)/.exec(why)?.[1] ?? text.length);
  const rest = text.slice(at);
  return `${complaint(why)}, at character offset ${at} (before "${rest === '' ? '(end of string)' : rest}")`;
}

function complaint(why: string): string {
  if (/after property value|or '\}' after|end of JSON input/.test(why))
    return ', or } expected while parsing object/hash';
  if (/after array element/.test(why)) return guesses.json.openList;
  if (/Unterminated string/.test(why)) return guesses.json.openString;
  if (/surrogate/.test(why)) return guesses.json.loneSurrogate;
  if (/non-whitespace character after JSON/.test(why)) return guesses.json.more;
  return guesses.json.malformed;
}
