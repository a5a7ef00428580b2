import type { Route } from '../model/route.ts';
import { githubMarker } from './marker.ts';

/** A full body has no room for another line; the bug still names its issue. */
export const hasRoomForFooter = (body: string): boolean => body.length < 65_000;

/** The line under an issue that began on GitHub, which names its bug. */
export function issueFooter(route: Route, bug: number, url: string): string {
  return `---\n*Mirrored as [bug ${bug}](${url}).*\n\n${githubMarker(route.instance, { bug, comment: null })}`;
}

/**
 * The body without the bridge's lines below it, including identical lines that people put there: the remaining text
 * does not depend on whether our own footer is already there. Only whole lines that the bridge writes, or once wrote,
 * are its own: whatever else stands among them was written by people. The website saves bodies with CRLF. Takes linear
 * time in the length of the body, for any number of footers.
 */
export function withoutFooter(body: string): string {
  let rest = body;
  for (let at = footerAt(rest); at !== null; at = footerAt(rest)) rest = rest.slice(0, at).trimEnd();
  return rest;
}

/**
 * Where the last footer of a text begins: the line under a rule and the collapsed table, if there are any, and the
 * marker.
 */
function footerAt(text: string): number | null {
  const end = text.trimEnd();
  const line = lastLineAt(end);
  return marker.test(end.slice(line)) ? ruleBefore(end.slice(0, tableBefore(end.slice(0, line)))) : null;
}

const lastLineAt = (text: string): number => text.lastIndexOf('\n') + 1;

/** Of a copy, of an issue whose bug moved, of a remark, and of the dashboard. */
const marker =
  /^<!-- bugferry:1 \S+ (?:bug=\d+(?: comment=\d+)?(?: part=\d+\/\d+)?|bug=\d+ moved|remark=\S+|dashboard=\S+) -->$/u;

function tableBefore(text: string): number {
  const end = text.trimEnd();
  if (!end.endsWith('</details>')) return text.length;
  const last = end.lastIndexOf('<!-- bugferry:');
  const [sign, summary, ...rows] = linesOf(end.slice(last));
  const isOurs =
    (last === 0 || end[last - 1] === '\n') &&
    sign === '<!-- bugferry:table -->' &&
    summary === '<details><summary>More about this bug</summary>' &&
    rows.pop() === '</details>' &&
    rows.every((row) => /^(?:\|.*\|)?$/u.test(row));
  return isOurs ? last : text.length;
}

function ruleBefore(text: string): number {
  const end = text.trimEnd();
  const line = lastLineAt(end);
  const rule = lastLineAt(text.slice(0, Math.max(0, line - 1)));
  return said.test(end.slice(line)) && linesOf(text.slice(rule, line))[0] === '---' ? rule : text.length;
}

/** Which bug an issue mirrors, or where that bug went. */
const said =
  /^\*(?:Mirrored as (?:\[bug \d+\]\(\S+\)|bug \d+)(?:, which is not public)?\.|(?:\[Bug \d+\]\(\S*\)|Bug \d+)(?: moved to product .{1,400}, and)? goes on (?:there|elsewhere|in \[\S+\]\(\S+\))\.)\*$/u;

const linesOf = (text: string): string[] => text.split(/\r?\n/u);
