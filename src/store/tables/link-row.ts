import { bugId, issueNumber, linkId } from '../../model/ids.ts';
import type { Link, LinkStatus, NewLink, Urgency } from '../../model/link.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import { cleanOrNull, flag, type RowOf, readJsonOrNull, writeJsonOrNull } from '../columns.ts';

/** The column contains the position in this list, so that the most urgent sorts highest. */
const urgencies: readonly Urgency[] = ['none', 'backfill', 'live'];

export const columns = {
  route: ({ route }: NewLink) => route,
  repo: ({ repo }: NewLink) => repo,
  origin: ({ origin }: NewLink) => origin,
  bug: ({ bug }: NewLink) => bug,
  issue: ({ issue }: NewLink) => issue,
  state: ({ state }: NewLink) => state,
  reason: ({ reason }: NewLink, scrub: Scrub): Clean | null => cleanOrNull(scrub, reason),
  frozen_by: ({ frozenBy }: NewLink) => frozenBy,
  base: ({ base }: NewLink) => writeJsonOrNull(base),
  tracker: ({ tracker }: NewLink) => writeJsonOrNull(tracker),
  github: ({ github }: NewLink) => writeJsonOrNull(github),
  urgency: ({ urgency }: NewLink) => urgencies.indexOf(urgency),
  thread_read_at: ({ threadReadAt }: NewLink) => threadReadAt,
  claim: ({ claim }: NewLink) => claim,
  is_pointed_tracker: ({ pointed }: NewLink) => flag(pointed.tracker),
  is_pointed_github: ({ pointed }: NewLink) => flag(pointed.github),
  visibility_check: ({ visibility }: NewLink) => writeJsonOrNull(visibility),
  is_withdrawn: ({ isWithdrawn }: NewLink) => flag(isWithdrawn),
  moved_to: ({ movedTo }: NewLink) => movedTo,
  taken_from: ({ takenFrom }: NewLink) => takenFrom,
  formerly: ({ formerly }: NewLink) => writeJsonOrNull(formerly.length === 0 ? null : formerly),
};

export type LinkRow = RowOf<typeof columns>;

export function linkOf(row: LinkRow): Link {
  return {
    id: linkId(row.id),
    route: row.route,
    repo: row.repo,
    origin: row.origin,
    bug: row.bug === null ? null : bugId(row.bug),
    issue: row.issue === null ? null : issueNumber(row.issue),
    ...statusOf(row),
    base: readJsonOrNull(row.base),
    tracker: readJsonOrNull(row.tracker),
    github: readJsonOrNull(row.github),
    urgency: urgencies[row.urgency] ?? 'none',
    threadReadAt: row.thread_read_at,
    claim: row.claim,
    pointed: { tracker: row.is_pointed_tracker === 1, github: row.is_pointed_github === 1 },
    visibility: readJsonOrNull(row.visibility_check),
    isWithdrawn: row.is_withdrawn === 1,
    movedTo: row.moved_to,
    takenFrom: row.taken_from,
    formerly: readJsonOrNull(row.formerly) ?? [],
  };
}

/** The constraints of the table guarantee that the columns fit together. */
function statusOf({ state, reason: words, frozen_by: frozenBy, origin }: LinkRow): LinkStatus {
  const reason = words ?? '';
  if (state === 'live') return { state, reason: null, frozenBy: null };
  return state === 'tombstone' ? { state, reason, frozenBy: null } : { state, reason, frozenBy: frozenBy ?? origin };
}
