import type { Call } from './call.ts';
import { internalFailure, TrackerError } from './errors.ts';
import { wireTime } from './times.ts';

/** GET /rest/version, which does not look at keys at all. */
export const version = ({ state }: Call): unknown => ({ version: versions[state.markdown] });
const versions = { none: '5.2', comment: '5.3.3+', site: '5.9.1+' } as const;

export const extensions = (): unknown => ({ extensions: {} });
export const timezone = (): unknown => ({ timezone: '+0000' });

/** GET /rest/time, which always claims to be UTC. */
export function time({ state }: Call): unknown {
  const now = wireTime(state.now());
  return { db_time: now, web_time: now, web_time_utc: now, tz_name: 'UTC', tz_short_name: 'UTC', tz_offset: '+0000' };
}

/** GET /rest/last_audit_time, whose `class` makes no difference in the form that people use. */
export const lastAuditTime = ({ state }: Call): unknown => ({ last_audit_time: wireTime(state.auditedAt) });

/** GET /rest/classification/NAME, which the measured installation does without. */
export function classifications(): never {
  throw new TrackerError(900, 400, 'Sorry, classification is not enabled.');
}

/** GET /rest/bug_user_last_visit, which is broken on the measured server. */
export function lastVisits(): never {
  throw internalFailure('Can\'t locate object method "new_from_list" via package "Bugzilla::BugUserLastVisit".\n');
}
