/** What one comment or body may hold besides our own lines: 65,535 characters on the tracker, 65,536 on GitHub. */
const textMax = 64_000;

/**
 * A text that is too long for the other side, as far as it fits and with a link to the whole. Cut at the end of a line where one is
 * near, and never within a character, an escape or an entity.
 * @param url where all of it stands
 */
export function fit(text: string, url: string): string {
  if (text.length <= textMax) return text;
  const head = text.slice(0, textMax);
  const lineEnd = head.lastIndexOf('\n');
  const cut = lineEnd > textMax - 2_000 ? head.slice(0, lineEnd) : head.replace(/(?:[\ud800-\udbff]|\\+|&[#a-z0-9]*)$/u, '').toWellFormed();
  return `${cut}\n\n(The text is longer than fits here. All of it: ${url})`;
}
