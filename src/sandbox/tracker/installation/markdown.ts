import type { TrackerState } from '../world/state.ts';
import { way } from './versions.ts';

/** How the installation treats Markdown. */
export function markdownOf(state: TrackerState): 'none' | 'comment' | 'site' {
  const markdown = way(state, 'markdown');
  return markdown === 'site' && !state.hasMarkdown ? 'none' : markdown;
}
