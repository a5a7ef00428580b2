import type { Scope } from './scope.ts';

/** Names of fields in a quicksearch. */
const nicknames: Readonly<Record<string, string>> = {
  status: 'bug_status',
  platform: 'rep_platform',
  os: 'op_sys',
  severity: 'bug_severity',
  assignee: 'assigned_to',
  owner: 'assigned_to',
  milestone: 'target_milestone',
  summary: 'short_desc',
  description: 'longdesc',
  comment: 'longdesc',
  url: 'bug_file_loc',
  whiteboard: 'status_whiteboard',
  sw: 'status_whiteboard',
  kw: 'keywords',
  group: 'bug_group',
  flag: 'flagtypes.name',
  requestee: 'requestees.login_name',
  setter: 'setters.login_name',
  attachment: 'attachments.description',
  attachmentdesc: 'attachments.description',
  attachdesc: 'attachments.description',
  attachmentdata: 'attach_data.thedata',
  attachdata: 'attach_data.thedata',
  attachmentmimetype: 'attachments.mimetype',
  attachmimetype: 'attachments.mimetype',
};

/** Fields whose internal names a quicksearch does not know, so that nicknames can be abbreviated. */
const withoutOwnName: readonly string[] = [
  'rep_platform',
  'bug_status',
  'bug_file_loc',
  'bug_group',
  'bug_severity',
  'status_whiteboard',
  'cclist_accessible',
  'reporter_accessible',
];

/** The field of a name or of the beginning of one; a list of names if it is ambiguous; null if it is unknown. */
export function namedField(scope: Scope, name: string): string | readonly string[] | null {
  const wanted = name.toLowerCase();
  const own = Object.keys(scope.fields).filter((field) => !field.includes('.') && !withoutOwnName.includes(field));
  const known = new Map([...Object.entries(nicknames), ...own.map((field) => [field, field] as const)]);
  const exact = known.get(wanted) ?? known.get(`cf_${wanted}`);
  const begun = [...new Set([...known].filter(([each]) => each.startsWith(wanted)).map(([, field]) => field))];
  if (known.has(wanted) || (begun.length === 0 && exact !== undefined)) return exact ?? null;
  if (begun.length > 0) return begun.length === 1 ? (begun[0] ?? null) : begun;
  const custom = own.filter((field) => field.startsWith(`cf_${wanted}`));
  return custom.length === 1 ? (custom[0] ?? null) : null;
}
