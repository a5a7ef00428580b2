import { withoutFooter } from '../marker.ts';

/** What a person wrote on GitHub, as text for the tracker: as written, without what the bridge added to it. */
export function toTrackerText(markdown: string): string {
  return withoutFooter(markdown).toWellFormed().replace(/\r\n?/gu, '\n').replaceAll('\u0000', '\ufffd').trimEnd();
}
