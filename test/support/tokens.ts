/** The parts of TypeScript that carry words. */
export interface Token {
  readonly kind: 'identifier' | 'string' | 'comment' | 'pattern';
  readonly text: string;
  readonly line: number;
  /** The source around it: some characters on either side. */
  readonly around: string;
}

const name = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;
const number = /\d[\w.]*/y;
const comment = /\/\/.*|\/\*[\s\S]*?\*\//y;
const quoted = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y;
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*/y;

/** After these, a slash begins a pattern and not a division. */
const expectsValue = /(?:^|[^\w)\]}'"`.]|\b(?:return|throw|case|typeof|in|of|await|yield))$/u;

/** Reads a source file, including the code inside template strings. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** For each open brace: whether it closes a hole of a template. */
  const braces: boolean[] = [];
  let at = 0;
  let [line, lineAt] = [1, 0];
  const taken = (form: RegExp): string | null => {
    form.lastIndex = at;
    return form.exec(source)?.[0] ?? null;
  };
  const push = (kind: Token['kind'], text: string): void => {
    line += source.slice(lineAt, at).split('\n').length - 1;
    lineAt = at;
    tokens.push({ kind, text, line, around: source.slice(Math.max(0, at - 20), at + text.length + 20) });
    at += text.length;
  };
  const template = (): void => {
    const text = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/uy;
    text.lastIndex = at;
    push('string', text.exec(source)?.[0] ?? '');
    if (source[at] === '$') braces.push(true);
    at += source[at] === '$' ? 2 : 1;
  };
  while (at < source.length) {
    const found = taken(comment);
    if (found !== null) push('comment', found);
    else if (taken(quoted) !== null) push('string', taken(quoted) ?? '');
    else if (source[at] === '/' && expectsValue.test(source.slice(Math.max(0, at - 20), at).trimEnd()))
      push('pattern', taken(pattern) ?? '/');
    else if (taken(name) !== null) push('identifier', taken(name) ?? '');
    else if (taken(number) !== null) at += taken(number)?.length ?? 1;
    else {
      const sign = source[at];
      at += 1;
      if (sign === '{') braces.push(false);
      if (sign === '`' || (sign === '}' && braces.pop() === true)) template();
    }
  }
  return tokens;
}
