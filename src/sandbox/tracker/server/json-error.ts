/** What the server's parser of JSON says about a text, from what ours says. */
export function jsonError(text: string, cause: unknown): string {
  const why = cause instanceof Error ? cause.message : '';
  const at = Number(/at position (\d+)/.exec(why)?.[1] ?? text.length);
  const rest = text.slice(at);
  return `${complaint(why)}, at character offset ${at} (before "${rest === '' ? '(end of string)' : rest}")`;
}

function complaint(why: string): string {
  if (/after property value|or '\}' after|end of JSON input/.test(why)) return ', or } expected while parsing object/hash';
  if (/after array element/.test(why)) return ', or ] expected while parsing array';
  if (/Unterminated string/.test(why)) return 'unexpected end of string while parsing JSON string';
  if (/surrogate/.test(why)) return 'missing low surrogate character in surrogate pair';
  if (/non-whitespace character after JSON/.test(why)) return 'garbage after JSON object';
  return 'malformed JSON string, neither tag, array, object, number, string or atom';
}
