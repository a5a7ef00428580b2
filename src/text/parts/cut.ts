import type { Side } from '../../model/ids.ts';
import type { Fence } from './fences.ts';
import { lengthOn, searched } from './room.ts';

/**
 * Capacity of a comment or body, in characters: 65,535 on the tracker, 65,536 on GitHub. The rest is reserved for our
 * own lines.
 */
const textMax = 60_000;

/** Reserve for closing and reopening a fence. */
const fenceRoom = 500;

/** Capacity of a line, and of all lines of a part. */
export const partMax = textMax - fenceRoom;

/** Capacity of a part with the URLs of its links, counted as on the stricter side. */
const linkedMax = 62_000;

/** A line of a text: without its links, with them, and what is open below it. */
export interface Line {
  readonly plain: string;
  readonly linked: string;
  readonly open: Fence | null;
}

/** The lines of a text; those with links stand beside those without. */
export function linesOf(plain: string, linked: string, open: readonly (Fence | null)[]): readonly Line[] {
  const [lines, others] = [plain.split('\n'), linked.split('\n')];
  const isPaired = lines.length === others.length;
  return lines.map((line, at) => ({
    plain: line,
    linked: isPaired ? (others[at] ?? line) : line,
    open: open[at] ?? null,
  }));
}

/** A part of a text, without its links and with them. */
export interface Part {
  readonly plain: string;
  readonly linked: string;
}

/** Whether a text needs no second part. */
export const isOnePart = (plain: string, on: Side): boolean => lengthOn(on, plain) <= textMax;

export const onlyPart = (plain: string, linked: string): Part =>
  partOf(linesOf(plain, linked, []), (lines) => lines.join('\n'));

/**
 * Lines in as many parts as needed, without losing anything: cut between paragraphs if possible, else between any
 * lines. A fenced block that is cut is closed, and reopened in the next part. The cuts do not depend on links: lines
 * without room for theirs stay plain.
 */
export function partsOf(lines: readonly Line[], on: Side): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; ) {
    const open = lines[at - 1]?.open ?? null;
    const rest = lines.slice(at);
    const own = rest.slice(0, endOfPart(rest, on));
    parts.push(partOf(own, (shown) => framed(shown, open, own.at(-1)?.open ?? null)));
    at += own.length;
  }
  return parts.filter(({ plain }) => plain !== '');
}

/** The border between two parts replaces the empty lines there. */
function framed(lines: readonly string[], open: Fence | null, after: Fence | null): string {
  const all = [...(open === null ? [] : [open.line]), ...lines, ...(after === null ? [] : [after.end])];
  return all
    .slice(
      all.findIndex((line) => line !== ''),
      all.findLastIndex((line) => line !== '') + 1,
    )
    .join('\n');
}

const partOf = (lines: readonly Line[], joined: (lines: readonly string[]) => string): Part => ({
  plain: joined(lines.map((line) => line.plain)),
  linked: joined(withLinks(lines)),
});

/** Lines with their links, as far as there is room for the URLs. */
function withLinks(lines: readonly Line[]): readonly string[] {
  let room = lines.reduce((left, { plain }) => left - lengthOn('tracker', plain) - 1, linkedMax);
  return lines.map(({ plain, linked }) => {
    const more = lengthOn('tracker', linked) - lengthOn('tracker', plain);
    if (more > room) return plain;
    room -= more;
    return linked;
  });
}

/** Number of lines for the next part: up to an empty line outside of fences, if there is one near the end. */
function endOfPart(lines: readonly Line[], on: Side): number {
  let used = 0;
  let end = 0;
  while (end < lines.length) {
    const length = lengthOn(on, lines[end]?.plain ?? '') + 1;
    if (end > 0 && used + length > partMax) break;
    used += length;
    end += 1;
  }
  if (end === lines.length) return end;
  const border = lines.slice(0, end).findLastIndex(({ plain, open }) => plain === '' && open === null);
  const passed = lines.slice(border + 1, end).reduce((sum, { plain }) => sum + plain.length, 0);
  return border > 0 && passed < searched ? border : end;
}
