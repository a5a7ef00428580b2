/**
 * Longer lists are not turned into one text: the report of a large tracker would take a hundred megabytes.
 */
const together = 100;

/**
 * A value as JSON, in pieces; joined, they equal the result of `JSON.stringify`. Pieces end only between two elements
 * of a long list, so that names stay with their values, and secrets stay whole.
 *
 * @param indent as `JSON.stringify` takes it; elements of long lists then begin at the margin
 */
export function* jsonPieces(value: unknown, indent = 0): Generator<string> {
  const { parts, long } = framed(value, indent, 0);
  for (const [at, part] of parts.entries()) {
    yield part;
    const list = long[at];
    if (list !== undefined) yield* piecesOf(list, indent);
  }
}

/**
 * The long lists, and the JSON around them. A placeholder stands for each list; it is changed if the value contains the
 * same text.
 */
function framed(
  value: unknown,
  indent: number,
  nth: number,
): { parts: readonly string[]; long: readonly (readonly unknown[])[] } {
  const long: (readonly unknown[])[] = [];
  const place = `list ${nth}`;
  const shortened = (_key: string, each: unknown): unknown => {
    if (!Array.isArray(each) || each.length <= together) return each;
    long.push(each);
    return place;
  };
  const parts = JSON.stringify(value, shortened, indent).split(`"${place}"`);
  return parts.length === long.length + 1 ? { parts, long } : framed(value, indent, nth + 1);
}

function* piecesOf(list: readonly unknown[], indent: number): Generator<string> {
  const between = indent > 0 ? ',\n' : ',';
  for (let at = 0; at < list.length; at += together) {
    // In a list, `JSON.stringify` writes null for values without JSON.
    const texts = list.slice(at, at + together).map((each) => JSON.stringify(each, null, indent) ?? 'null');
    yield `${at === 0 ? '[' : between}${texts.join(between)}`;
  }
  yield ']';
}
