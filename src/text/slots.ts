/**
 * Whether two texts are equal except for the names of references: each slot matches `bug 12`, `bug 12 comment 3`,
 * `#12`, `a/b#12` or an address. All reachable positions are followed side by side, because trying one path after the
 * other could take exponential time. Steps are counted, and a text that needs too many counts as different: the tracker
 * then gets one superfluous comment, and no word is lost.
 */
export function fits(text: string, slotted: string): boolean {
  const count: Count = { left: (text.length + slotted.length) * stepsPerCharacter };
  let places: ReadonlySet<number> = new Set([0]);
  for (const piece of slotted.split(slots)) {
    if (piece === slot) places = beyondName(text, places, count);
    else if (piece === target) {
      const named = beyondName(text, beyond(text, ' (', places, count), count);
      places = new Set([...places, ...beyond(text, ')', named, count)]);
    } else places = beyond(text, piece, places, count);
    if (places.size === 0 || count.left < 0) return false;
  }
  return places.has(text.length);
}

/** A character that people do not write, and that is part of no word. */
export const slot = '\ue0b6';

/** What a link leads to, behind its words: not written if it leads to no bug. */
const target = ` (${slot})`;
const slots = /( \(\ue0b6\)|\ue0b6)/u;

const stepsPerCharacter = 20;

interface Count {
  left: number;
}

/** Where a piece ends that begins at one of these places. */
function beyond(text: string, piece: string, places: ReadonlySet<number>, count: Count): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const place of places) {
    if (count.left < 0) break;
    count.left -= text[place] === piece[0] ? piece.length : 1;
    if (text.startsWith(piece, place)) ends.add(place + piece.length);
  }
  return ends;
}

/** The name of a reference: its head, and its tail, of which any part that is long enough may be meant. */
const names = [
  { head: /bug /uy, tail: /\d+/uy, least: 1 },
  { head: /bug \d+ comment /uy, tail: /\d+/uy, least: 1 },
  { head: /[\w./-]*/uy, tail: /#\d+/uy, least: 2 },
  { head: /https?:/uy, tail: /\S+/uy, least: 1 },
] as const;

/** Where the name of a reference may end that begins at one of these places. */
function beyondName(text: string, places: ReadonlySet<number>, count: Count): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const place of places) {
    for (const { head, tail, least } of names) {
      if (count.left < 0) return ends;
      const start = endOf(head, text, place);
      const end = endOf(tail, text, start);
      count.left -= 1 + Math.max(start, end) - place;
      for (let each = start + least; each <= end; each += 1) ends.add(each);
    }
  }
  return ends;
}

/** Where a pattern ends that begins at a place; before any place if it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at >= 0 && pattern.test(text) ? pattern.lastIndex : -1;
}
