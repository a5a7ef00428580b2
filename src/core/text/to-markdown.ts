/**
 * Plain tracker text as GitHub Markdown that shows the same characters and does nothing else: no headings, lists, HTML,
 * images, mentions or links that nobody meant. Quoted lines stay quotes; addresses of pages stay links.
 */
export function toMarkdown(text: string): string {
  const lines = visible(text).replace(/\r\n?/gu, '\n').split('\n');
  const out: string[] = [];
  for (const line of lines) {
    const quote = /^>+ ?/u.exec(line)?.[0] ?? '';
    // Without an empty line, a paragraph after a quote would be taken into it.
    if (quote === '' && line.trim() !== '' && out.at(-1)?.startsWith('>')) out.push('');
    out.push(`${quote}${markdownLine(line.slice(quote.length))}`);
  }
  return out.join('\n');
}

/** A short piece of tracker text, such as a name, for use inside a line. */
export const toMarkdownInline = (text: string): string => escapeProse(visible(text).replace(/\s+/gu, ' '));

/** GitHub would drop or refuse what cannot be shown; a reader should see that something stood there. */
function visible(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');
}

function markdownLine(line: string): string {
  const indent = /^[ \t]*/u.exec(line)?.[0] ?? '';
  const rest = line.slice(indent.length);
  if (rest === '') return '';
  const spaces = indent.replace(/\t/gu, '        ').replace(/ /gu, '&nbsp;');
  const parts = rest.split(/(https?:\/\/[^\s<>"'`\\]*[^\s<>"'`\\.,;:!?)\]}])/u);
  const shown = parts.map((part, index) => (index % 2 === 1 ? markdownUrl(part) : escapeProse(part))).join('');
  return `${spaces}${escapeLineStart(shown)}`;
}

/** A bare github.com address would put an event into somebody's issue; as code it does not. */
function markdownUrl(url: string): string {
  return /^https?:\/\/(?:www\.|gist\.)?github\.com\//iu.test(url) ? `\`${url}\`` : `<${url}>`;
}

function escapeProse(text: string): string {
  return text
    .replace(/&/gu, '&amp;')
    .replace(/</gu, '&lt;')
    .replace(/[\\`*_{}[\]>~|$^!]/gu, '\\$&')
    .replace(/@(?=[\p{L}\p{N}_-])/gu, '@\u200b')
    .replace(/#(?=\d)/gu, '#\u200b')
    .replace(/\bGH-(?=\d)/giu, '$&\u200b')
    .replace(/\b[0-9a-f]{7,40}\b/giu, (hash) => hash.replace(/.{6}(?=.)/gu, '$&\u200b'));
}

function escapeLineStart(line: string): string {
  return line
    .replace(/^(?=[#+=-])/u, '\\')
    .replace(/^(\d+)([.)])/u, '$1\\$2')
    .replace(/^:/u, '\\:');
}
