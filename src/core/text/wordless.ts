import { withoutComments } from './html.ts';
import { toTrackerText } from './to-tracker.ts';

/** Why what shows nothing has no copy. */
export const noText = 'it has no text';

/** Whether a text of GitHub shows nothing to its readers: it is empty, or holds nothing but comments of HTML, such as a template does. */
export const isWordless = (markdown: string): boolean => withoutComments(markdown).trim() === '' && toTrackerText(markdown) === '';
