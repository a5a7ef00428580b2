const name = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;
const number = /\d[\w.]*/y;
const comment = /\/\/.*|\/\*[\s\S]*?\*\//y;
const quoted = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y;
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*/y;
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/uy;

/** After these, a slash begins a pattern and not a division. */
const expectsValue = /(?:^|[^\w)\]}'"`.]|\b(?:return|throw|case|typeof|in|of|await|yield))$/u;

/** The string literals of TypeScript source, as written: with their quotes, and each part of a template by itself. */
export function stringLiterals(source: string): readonly string[] {
  const literals: string[] = [];
  /** For each open brace: whether it closes a hole of a template. */
  const braces: boolean[] = [];
  let at = 0;
  const take = (form: RegExp): string | null => {
    form.lastIndex = at;
    const text = form.exec(source)?.[0] ?? null;
    at += text?.length ?? 0;
    return text;
  };
  const template = (): void => {
    literals.push(take(templatePart) ?? '');
    if (source[at] === '$') braces.push(true);
    at += source[at] === '$' ? 2 : 1;
  };
  while (at < source.length) {
    if (take(comment) !== null) continue;
    const literal = take(quoted);
    if (literal !== null) literals.push(literal);
    else if (source[at] === '/' && expectsValue.test(source.slice(Math.max(0, at - 20), at).trimEnd())) {
      if (take(pattern) === null) at += 1;
    } else if (take(name) === null && take(number) === null) {
      const sign = source[at];
      at += 1;
      if (sign === '{') braces.push(false);
      if (sign === '`' || (sign === '}' && braces.pop() === true)) template();
    }
  }
  return literals;
}
