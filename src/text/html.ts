/**
 * HTML in people's Markdown, as text: tags are dropped; their content and the URLs of links and pictures stay. This is no renderer;
 * it reads one tag or one run of tags, as the Markdown parser returns them.
 */
export interface Expansion {
  /** URLs of the links that are open at this point, innermost last. */
  readonly open: string[];
}

export function expanded(source: string, { open }: Expansion): string {
  return withoutComments(source).replace(
    /<(\/?)([a-z][a-z0-9]*)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>/giu,
    (_tag, end: string, name: string, rest: string) => {
      const tag = name.toLowerCase();
      if (tag === 'a' && end === '') open.push(attribute(rest, 'href'));
      if (tag === 'a' && end === '/') return inParentheses(open.pop() ?? '');
      if (tag === 'img') return [attribute(rest, 'alt'), attribute(rest, 'src')].filter((part) => part !== '').join(': ');
      if (tag === 'video' && end === '') return attribute(rest, 'src');
      if (tag === 'li' && end === '') return '\n- ';
      if (tag === 'td' || tag === 'th') return end === '' ? '' : ' ';
      return lineTags.has(tag) ? '\n' : '';
    },
  );
}

/** Removes comments, which no reader sees, and nothing else: `<!-->` is a complete comment. An unclosed comment stays as its characters. */
export function withoutComments(source: string): string {
  let shown = '';
  let at = 0;
  for (let start = source.indexOf('<!--'); start >= 0; start = source.indexOf('<!--', at)) {
    const length = commentLength(source.slice(start));
    if (length === 0) break;
    shown += source.slice(at, start);
    at = start + length;
  }
  return shown + source.slice(at);
}

/** The length of the comment that a text begins with; 0 if it is never closed. */
function commentLength(text: string): number {
  const [empty] = /^<!---?>/u.exec(text) ?? [];
  if (empty !== undefined) return empty.length;
  const end = /--!?>/gu;
  end.lastIndex = '<!--'.length;
  return end.exec(text) === null ? 0 : end.lastIndex;
}

const inParentheses = (url: string): string => (url === '' ? '' : ` (${url})`);

const lineTags = new Set('br p div details summary h1 h2 h3 h4 h5 h6 ul ol table tr hr pre blockquote dl dt dd'.split(' '));

function attribute(rest: string, name: string): string {
  const [, double, single, bare] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'iu').exec(rest) ?? [];
  return decodedEntities(double ?? single ?? bare ?? '').trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export function decodedEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/giu, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return code > 0 && code < 0x11_0000 ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}
