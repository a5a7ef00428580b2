/** Lines and paragraphs of Markdown, without parsing it. Only spaces and tabs are white to it: a line of others is full. */

/**
 * The lines outside of code between fences, if no parser can be wrong about them: those fences have nothing in front of
 * them, and no HTML above them. All other lines count as words.
 */
export function withoutCode(lines: readonly string[]): readonly string[] {
  let [fence, html]: [string | null, 'none' | 'block' | 'rest'] = [null, 'none'];
  return lines.filter((line) => {
    if (fence !== null) {
      const [, end = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line) ?? [];
      if (end.startsWith(fence)) fence = null;
      return false;
    }
    if (/^ {0,3}<(?:pre|script|style|textarea|[!?])/iu.test(line)) html = 'rest';
    else if (html !== 'rest')
      html = /[^ \t]/u.test(line) && (html === 'block' || /^ {0,3}</u.test(line)) ? 'block' : 'none';
    if (html === 'none')
      fence =
        /^(?:(`{3,})[^`]*$|(~{3,}))/u
          .exec(line)
          ?.slice(1)
          .find((sign) => sign !== undefined) ?? null;
    return fence === null;
  });
}

/** About the paragraphs of a text, items of its lists and rows of its tables. */
export function paragraphsIn(lines: readonly string[]): readonly string[] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (border.test(line)) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found.map((paragraph) => paragraph.join('\n'));
}

const border = /^[ \t>]*(?:$|(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)/u;
