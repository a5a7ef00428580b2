import type { TrackerState } from '../world/state.ts';
import { way } from './versions.ts';

export const beyondBmp = /[\u{10000}-\u{10ffff}]/gu;

/**
 * A text as its column keeps it: on 5.0 and 5.3, the database puts four question marks for each character beyond
 * U+FFFF.
 */
export const keptText = (state: Pick<TrackerState, 'version'>, text: string): string =>
  way(state, 'characters') === 'all' ? text : text.replaceAll(beyondBmp, '????');

/** The column of the summary has room for 255 characters, whatever was put for them. */
export const keptSummary = (state: Pick<TrackerState, 'version'>, text: string): string =>
  [...keptText(state, text)].slice(0, 255).join('');
