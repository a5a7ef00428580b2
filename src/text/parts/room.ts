import type { Side } from '../../model/ids.ts';
import { quotedLine } from '../imitation/quoted-lines.ts';

/** How much fits into one line: its greatest length, and what the length of a line is. */
export interface Room {
  readonly max: number;
  readonly lengthOf: (line: string) => number;
}

export const unlimited: Room = { max: Number.POSITIVE_INFINITY, lengthOf: (line) => line.length };

/** The room that is left beside signs at the beginning of the line. */
export const beside = (signs: string, room: Room): Room => ({ ...room, max: room.max - signs.length });

/** Number of characters that a server counts. Older trackers store a character beyond the first plane as eleven. */
export function lengthOn(on: Side, text: string): number {
  // To walk by characters takes six times as long as to look for those beyond the first plane.
  const beyond = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return text.length + beyond * (on === 'tracker' ? 9 : -1);
}

/** How far before the end of a part a better place to cut is searched. */
export const searched = 4_000;

/** No writer makes more than this of one character. */
const growthMax = 100;

/**
 * A line, cut where it is too long: between words if possible, and never within a character. People's words are cut
 * before they are written as Markdown, because a piece of finished Markdown may mean something else: so `write` says
 * what will be made of each piece, and each piece fits when that is done.
 * @param place what stands before each of the pieces, such as the signs of a quotation
 */
export function piecesOf(line: string, room: Room, write = asIs, place = ''): readonly string[] {
  if (line.length * growthMax < room.max || room.max === unlimited.max) return [line];
  const fits = (words: string, max: number): boolean => words.length <= max * 2 && room.lengthOf(write(words)) <= max;
  const pieces: string[] = [];
  let rest = line;
  for (let fitted = line.length; ; ) {
    // To write all that is left for each piece would take the square of its length.
    const mayFit = rest.length <= fitted + searched;
    if (mayFit && fits(rest, room.max)) return [...pieces, rest];
    const least = place.length + characterAt(rest, place.length).length;
    const head = headOf(rest, (words) => fits(words, room.max - 2));
    if (head.length === rest.length) return [...pieces, rest];
    fitted = head.length;
    const space = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\t')) + 1;
    const passed = write(head).length - write(head.slice(0, space)).length;
    const cut = space > least && passed < searched ? space : endOfHead(head, place.length);
    pieces.push(rest.slice(0, Math.max(cut, least)));
    // It may begin a part, right below the bridge's own line.
    rest = place + quotedLine(rest.slice(Math.max(cut, least)));
  }
}

const asIs = (words: string): string => words;
const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** The longest beginning that fits. Steps grow first, so that little more is looked at than fits. */
function headOf(text: string, fits: (words: string) => boolean): string {
  let [end, step] = [0, 1_024];
  while (end + step <= text.length && fits(text.slice(0, end + step))) {
    end += step;
    step *= 2;
  }
  for (; step >= 1; step /= 2) if (end + step <= text.length && fits(text.slice(0, end + step))) end += step;
  const isWithinCharacter = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(0, isWithinCharacter ? end - 1 : end);
}

/** Before an escape or an entity that would be cut; between two escapes if they go on for longer than is searched. */
function endOfHead(head: string, least: number): number {
  const end = head.search(/(?<!\\)\\+$|&[#\w]*$/u);
  if (end === -1) return head.length;
  return end > least && end > head.length - searched ? end : head.length - ((head.length - end) % 2);
}
