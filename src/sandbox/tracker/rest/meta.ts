import { pickFields } from '../installation/field-choice.ts';
import type { TrackerSettings } from '../installation/settings.ts';
import { wireTime } from '../installation/times.ts';
import { isIn, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { Call } from '../server/call.ts';
import { failedAt, TrackerError } from '../server/errors.ts';
import type { TrackerState } from '../world/state.ts';

/** GET /rest/version, which ignores keys. */
export const version = ({ state }: Call): unknown => ({ version: way(state, 'reported') });

/** GET /rest/extensions, by name. */
export const extensions = ({ state }: Call): unknown => ({
  extensions: Object.fromEntries(
    Object.entries(way(state, 'extensions')).map(([name, version]) => [name, { version }]),
  ),
});
export const timezone = (): unknown => ({ timezone: '+0000' });

/** GET /rest/time, which always claims to be UTC. */
export function time({ state }: Call): unknown {
  const now = wireTime(state.now());
  if (!way(state, 'timeZones')) return { db_time: now, web_time: now };
  return { db_time: now, web_time: now, web_time_utc: now, tz_name: 'UTC', tz_short_name: 'UTC', tz_offset: '+0000' };
}

/** GET /rest/last_audit_time, whose `class` has no effect in its usual form. */
export const lastAuditTime = ({ state }: Call): unknown => ({ last_audit_time: wireTime(state.auditedAt) });

/** GET /rest/classification/NAME, which the measured installation has switched off. */
export function classifications(): never {
  throw new TrackerError(900, 400, 'Sorry, classification is not enabled.');
}

/** GET /rest/bug_user_last_visit, which most versions fail at. In the sandbox there is none. */
export function lastVisits({ state, name }: Call): unknown {
  if (way(state, 'lastVisits') === 'nothing') return [];
  if (way(state, 'lastVisits') === 'row') return [{ id: Number(name), last_visit_ts: null }];
  const what = `Can't locate object method "id" via package "${name}" (perhaps you forgot to load "${name}"?)`;
  throw failedAt(what, 'lastVisits');
}

const forAnonymous: readonly string[] = ['maintainer', 'requirelogin'];

const forUsers: readonly string[] = [
  ...forAnonymous,
  ...['allowemailchange', 'attachment_base', 'commentonchange_resolution', 'commentonduplicate', 'cookiepath'],
  ...['defaultopsys', 'defaultplatform', 'defaultpriority', 'defaultseverity', 'duplicate_or_move_bug_status'],
  ...['emailregexpdesc', 'emailsuffix', 'letsubmitterchoosemilestone', 'letsubmitterchoosepriority', 'mailfrom'],
  ...['maxattachmentsize', 'maxlocalattachment', 'musthavemilestoneonaccept', 'noresolveonopenblockers'],
  ...['password_complexity', 'rememberlogin', 'search_allow_no_criteria', 'urlbase', 'use_see_also'],
  ...['useclassification', 'usemenuforusers', 'useqacontact', 'usestatuswhiteboard', 'usetargetmilestone'],
];

/** GET /rest/parameters: two for anonymous readers, more for users, all for administrators. All values are texts. */
export function parameters({ state, viewer, fields }: Call): unknown {
  // Harmony answers this with a success status.
  if (!way(state, 'parameters')) throw new TrackerError(100302, 200, "No such a method : 'parameters'.");
  const all = shownSettings(state);
  const shown = Object.entries(all).filter(([name]) => isShown(viewer, name));
  return { parameters: pickFields(fields, Object.fromEntries(shown)) };
}

/** The world knows the address and the maximum length of lists; they are not settings. */
const shownSettings = (state: TrackerState): TrackerSettings => ({
  ...state.settings,
  urlbase: `${state.url}/`,
  max_search_results: String(state.maxSearchResults),
});

function isShown(viewer: Viewer, name: string): boolean {
  if (viewer === null) return forAnonymous.some((shown) => shown === name);
  return isIn(viewer, 'tweakparams') || forUsers.some((shown) => shown === name);
}
