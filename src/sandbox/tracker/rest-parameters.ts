import type { Call } from './call.ts';
import { TrackerError } from './errors.ts';
import { pickFields } from './field-choice.ts';
import type { TrackerSettings } from './settings.ts';
import type { TrackerState } from './state.ts';
import { isIn, type Viewer } from './users.ts';

const forStrangers: readonly string[] = ['maintainer', 'requirelogin'];

const forUsers: readonly string[] = [
  ...forStrangers,
  ...['allowemailchange', 'attachment_base', 'commentonchange_resolution', 'commentonduplicate', 'cookiepath'],
  ...['defaultopsys', 'defaultplatform', 'defaultpriority', 'defaultseverity', 'duplicate_or_move_bug_status'],
  ...['emailregexpdesc', 'emailsuffix', 'letsubmitterchoosemilestone', 'letsubmitterchoosepriority', 'mailfrom'],
  ...['maxattachmentsize', 'maxlocalattachment', 'musthavemilestoneonaccept', 'noresolveonopenblockers'],
  ...['password_complexity', 'rememberlogin', 'search_allow_no_criteria', 'urlbase', 'use_see_also'],
  ...['useclassification', 'usemenuforusers', 'useqacontact', 'usestatuswhiteboard', 'usetargetmilestone'],
];

/** GET /rest/parameters: two for strangers, more for users, all for those who set them. All values are texts. */
export function parameters({ state, viewer, fields }: Call): unknown {
  // Harmony says so with the status of success.
  if (!state.tells.parameters) throw new TrackerError(100302, 200, "No such a method : 'parameters'.");
  const all = shownSettings(state);
  const shown = Object.entries(all).filter(([name]) => isShown(viewer, name));
  return { parameters: pickFields(fields, Object.fromEntries(shown)) };
}

/** Where the installation stands, and how long its lists may be, is known to the world and not set. */
const shownSettings = (state: TrackerState): TrackerSettings => ({
  ...state.settings,
  urlbase: `${state.url}/`,
  max_search_results: String(state.maxSearchResults),
});

function isShown(viewer: Viewer, name: string): boolean {
  if (viewer === null) return forStrangers.some((shown) => shown === name);
  return isIn(viewer, 'tweakparams') || forUsers.some((shown) => shown === name);
}
