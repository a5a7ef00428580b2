import type { Request } from './request.ts';

/** Fields under the names that the tracker's database has for them; a write may use either. */
const apiNames: Readonly<Record<string, string>> = {
  short_desc: 'summary',
  bug_status: 'status',
  bug_severity: 'severity',
  rep_platform: 'platform',
  bug_file_loc: 'url',
  status_whiteboard: 'whiteboard',
  dup_id: 'dupe_of',
  dependson: 'depends_on',
  blocked: 'blocks',
  cclist_accessible: 'is_cc_accessible',
  cc_accessible: 'is_cc_accessible',
  reporter_accessible: 'is_creator_accessible',
  commentprivacy: 'comment_is_private',
};

/** A write with every field under its name in the REST interface, which wins where both are given. */
export function withApiNames(request: Request): Request {
  const renamed = Object.entries(request).filter(([name]) => Object.hasOwn(apiNames, name));
  if (renamed.length === 0) return request;
  const plain = Object.entries(request).filter(([name]) => !Object.hasOwn(apiNames, name));
  return { ...Object.fromEntries(renamed.map(([name, value]) => [apiNames[name] ?? name, value])), ...Object.fromEntries(plain) };
}
