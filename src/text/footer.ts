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
 * does not depend on whether our own footer is already there. The website saves bodies with CRLF. Takes linear time in
 * the length of the body, for any number of footers.
 */
export function withoutFooter(body: string): string {
  let rest = body;
  for (let at = footerAt(rest); at !== null; at = footerAt(rest)) rest = rest.slice(0, at).trimEnd();
  return rest;
}

/**
 * Where the last footer of a text begins: the collapsed table and the line under a rule, if there are any, and the
 * marker.
 */
function footerAt(text: string): number | null {
  const end = text.trimEnd();
  if (!end.endsWith('-->')) return null;
  const line = end.lastIndexOf('\n') + 1;
  const marker = end.slice(line).indexOf('<!-- bugferry:1 ');
  return marker < 0 ? null : ruleBefore(end.slice(0, tableBefore(end.slice(0, line + marker))));
}

function tableBefore(text: string): number {
  if (!text.trimEnd().endsWith('</details>')) return text.length;
  const last = text.lastIndexOf('<!-- bugferry:');
  return text.startsWith('<!-- bugferry:table -->', last) ? last : text.length;
}

function ruleBefore(text: string): number {
  const trimmed = text.trimEnd();
  const said = trimmed.lastIndexOf('\n') + 1;
  if (!text.includes('\n', trimmed.length)) return text.length;
  const above = trimmed.slice(0, Math.max(0, said - 1));
  const rule = above.lastIndexOf('\n') + 1;
  if (said > 0 && isRule(above.slice(rule))) return rule;
  const isEmptyBetween = text.indexOf('\n', text.indexOf('\n', trimmed.length) + 1) >= 0;
  return isEmptyBetween && isRule(trimmed.slice(said)) ? said : text.length;
}

const isRule = (line: string): boolean => line.replace(/\r$/u, '') === '---';
