/**
 * Every statement of sections 1 to 9 of the tracker's REST interface, in words of our own. An id is the section and a
 * short name; `rules.test.ts` checks that each is named by a case, or says here why nobody can observe it.
 */

/** What the rule says, or why it cannot be observed from outside. */
export type Rule = string | { readonly says: string; readonly unobservable: string };

type Rules = Readonly<Record<string, Rule>>;

const section = (name: string, rules: Rules): readonly (readonly [id: string, rule: Rule])[] =>
  Object.entries(rules).map(([rule, words]) => [`${name}/${rule}`, words]);

const basics: Rules = {
  json: 'requests and answers are JSON',
  datetime: 'times are ISO 8601 in UTC, in whole seconds, with Z at the end',
};

const service: Rules = {
  'private-attachments': 'private attachments are for the right group and for who submitted them',
  'time-tracking': 'hours are left out for those outside the time-tracking group',
  'custom-fields': 'custom fields show on bugs and are set by name',
  insidergroup: 'private attachments and comments are for the insider group',
};

const bug: Rules = {
  id: 'whole number',
  alias: 'list of unique aliases, empty when there are none',
  assigned_to: 'login of the assignee',
  assigned_to_detail: 'the assignee as an object',
  blocks: 'ids of the bugs that wait for this one',
  depends_on: 'ids of the bugs for which this one waits',
  cc: 'logins on the CC list',
  cc_detail: 'the same people as objects',
  classification: 'name of the classification',
  component: 'name of the component',
  product: 'name of the product',
  version: 'version in which it was found',
  creation_time: 'when it was filed',
  last_change_time: 'when it changed last',
  creator: 'login of the reporter',
  creator_detail: 'the reporter as an object',
  deadline: 'a day, or null',
  dupe_of: 'id of the bug that it duplicates, or null',
  flags: 'flags that are set',
  groups: 'names of its groups',
  is_cc_accessible: 'whether the CC list sees it despite its groups',
  is_creator_accessible: 'whether the reporter sees it despite its groups',
  is_confirmed: 'whether it ever was more than unconfirmed',
  is_open: 'whether it is open',
  keywords: 'list of keywords',
  op_sys: 'operating system',
  platform: 'hardware',
  priority: 'priority',
  severity: 'severity',
  qa_contact: 'login of the QA contact, empty when there is none',
  qa_contact_detail: 'the QA contact as an object',
  resolution: 'resolution, empty while it is open',
  see_also: 'URLs of related bugs elsewhere',
  status: 'status',
  summary: 'summary',
  target_milestone: 'milestone',
  url: 'related URL',
  whiteboard: 'whiteboard',
  update_token: 'another one after every update, and none for anonymous readers',
  actual_time: 'hours spent, for timetrackers',
  estimated_time: 'hours estimated, for timetrackers',
  remaining_time: 'hours left, for timetrackers',
  faults: 'the envelope of a read has an empty list of faults',
  custom: 'custom fields come by default or alone, each in the type of its kind',
  tags: 'personal tags come only when they are asked for',
  default: 'the fields of the table come by default',
};

const user: Rules = { id: 'whole number', real_name: 'real name, if any', name: 'login', email: 'the same as name' };

const flag: Rules = {
  id: 'whole number',
  name: 'name of the flag',
  type_id: 'whole number of its type',
  creation_date: 'when it was set first',
  modification_date: 'when it was set last',
  status: '?, + or -',
  setter: 'login of the one who set it last',
  requestee: 'login of the one who is asked; only there while somebody is',
};

const history: Rules = {
  'bug-entry': 'each bug has id, alias and history',
  when: 'time of the changes',
  who: 'login of the one who made them',
  changes: 'all that was changed at that time',
  field_name: 'which field',
  removed: 'previous value, a text',
  added: 'new value, a text',
  attachment_id: 'whole number; only on changes of attachments',
};

const attachment: Rules = {
  id: 'whole number',
  bug_id: 'whole number of its bug',
  data: 'the content in Base64',
  size: 'length of the content in bytes',
  creation_time: 'when it was made',
  last_change_time: 'when it was edited last',
  file_name: 'file name',
  summary: 'short description',
  content_type: 'MIME type',
  is_private: 'whether only insiders see it',
  is_obsolete: 'whether it is obsolete',
  is_patch: 'whether it is a patch',
  creator: 'login of the one who made it',
  flags: 'flags that are set on it',
};

const comment: Rules = {
  id: 'whole number, unique across bugs',
  bug_id: 'whole number of its bug',
  attachment_id: 'whole number of its attachment, or null',
  count: 'number within the bug, the description being 0',
  text: 'the text',
  creator: 'login of the author',
  time: 'when it was made; the same as creation_time',
  creation_time: 'when it was made',
  is_private: 'whether only insiders see it',
  tags: 'names of its tags',
};

const states: Rules = {
  statuses:
    'status and resolution are names; UNCONFIRMED, CONFIRMED, IN_PROGRESS, RESOLVED, INVALID and DUPLICATE are among them',
  resolve: 'an open bug is closed with a status and a resolution',
  'close-without-resolution': 'closing asks for a resolution',
  'resolution-on-open': 'a resolution on an open bug is an error',
  'resolution-on-closed': 'a closed bug takes another resolution',
  'reopen-clears-resolution': 'reopening clears the resolution by itself',
  'dupe-of': 'dupe_of sets status and resolution by itself',
  'create-status': 'a new bug takes certain statuses only',
  'create-duplicate': 'a new bug cannot be a duplicate',
  'create-resolution': 'a bug that is filed closed needs a resolution',
  'product-move': 'a bug moves to another product',
  'move-drops-groups': 'a move removes groups that are not valid there',
  'move-adds-groups': 'a move adds groups that are mandatory there',
  'move-resets-milestone': {
    says: 'a move resets the milestone when the user may not change it',
    unobservable: 'it takes a user who may move bugs but not choose milestones, whom no common set-up has',
  },
  'flag-statuses': '?, + and - are statuses of flags, and X clears one',
  'status-same': 'the status that a bug has already is no change',
  moves: 'moves follow the table that the tracker tells in its fields, and no other',
};

const getBug: Rules = {
  'by-id': 'one bug by its id',
  'by-alias': 'one bug by its alias',
  several: 'several bugs at once',
  envelope: 'the answer has bugs and faults',
  'include-fields': 'fields are chosen by name',
  'include-default': '_default is what comes by default',
  'include-custom': '_custom is the custom fields',
  'include-extra': '_extra is what does not come by default',
  missing: 'a bug that does not exist is an error',
  hidden: 'a bug that the caller may not see is an error',
};

const bugHistory: Rules = {
  'by-id': 'history by id',
  'by-alias': 'history by alias',
  'new-since': 'only what is of a time or newer',
  'new-since-day': 'the time may be a day',
  response: 'a list of bugs with id, alias and history',
  missing: 'a bug that does not exist is an error',
};

const search: Rules = {
  alias: 'by alias',
  assigned_to: 'by login of the assignee',
  component: 'by component, in all products',
  creation_time: 'filed at that time or later',
  'creation_time-not-repeatable': {
    says: 'creation_time is given once',
    unobservable: 'what happens when it is given twice is not said',
  },
  creator: 'by login of the reporter, also as reporter',
  id: 'by id',
  last_change_time: 'changed at that time or later',
  'last_change_time-not-repeatable': {
    says: 'last_change_time is given once',
    unobservable: 'what happens when it is given twice is not said',
  },
  limit: 'at most so many',
  offset: 'from that position on, together with limit',
  op_sys: 'by operating system',
  platform: 'by hardware',
  priority: 'by priority',
  product: 'by product',
  resolution: 'by resolution',
  'resolution-empty': 'an empty resolution finds open bugs',
  severity: 'by severity',
  status: 'by status without a resolution',
  summary: 'by summary',
  'summary-part': 'a part of the summary is enough',
  'summary-spaces': 'the text is not split at spaces',
  'summary-list': 'a list of texts matches any of them',
  tags: 'by personal tag',
  'tags-own': {
    says: 'personal tags are per user, and a list matches any',
    unobservable: 'the interface has no operation that sets personal tags',
  },
  target_milestone: 'by milestone',
  'fields-switched-off': {
    says: 'milestones and QA contacts are found even where the fields are switched off',
    unobservable: 'it takes an administrator to switch the fields off',
  },
  qa_contact: 'by login of the QA contact',
  url: 'by URL',
  version: 'by version',
  whiteboard: 'by whiteboard',
  'whiteboard-part': 'a part of the whiteboard is enough',
  quicksearch: 'by the syntax of quicksearch',
  exact: 'matching is exact unless said otherwise',
  and: 'criteria are combined with AND',
  any: 'a repeated parameter matches any of its values',
  case: 'case is up to the database',
  advanced: 'parameters of the advanced search screen are taken',
  'advanced-history': 'the change history is searched too',
  response: 'the answer is that of Get Bug',
};

const createBug: Rules = {
  product: 'name of the product; required',
  component: 'component of the product; required',
  summary: 'short description; required',
  version: 'version of the product; required',
  description: 'the first comment',
  op_sys: 'operating system',
  platform: 'hardware, also as rep_platform',
  priority: 'priority',
  severity: 'severity',
  defaults: 'fields with a default of the installation may be left out',
  alias: 'list of aliases',
  'alias-unique': 'an alias is unique',
  assigned_to: 'login that takes the place of the component owner',
  cc: 'logins for the CC list',
  comment_is_private: 'whether the description is private; public by default',
  groups: 'names of groups; an empty list means none',
  'groups-default': {
    says: 'without groups, the default groups of the product apply',
    unobservable: 'which groups are default ones in a product is not told by the interface',
  },
  qa_contact: 'login that takes the place of the component default',
  status: 'first status',
  resolution: 'resolution of a bug that is filed closed',
  target_milestone: 'milestone of the product',
  flags: 'flags to set',
  custom: 'values of custom fields',
  invalid: 'an invalid field is an error that names it',
  ignored: 'what the caller may not set is ignored',
  response: 'the id of the new bug',
};

const updateBug: Rules = {
  'by-alias': 'the bug of the path may be an alias',
  ids: 'several bugs by ids or aliases',
  'ids-and-path': 'the bugs of path and body are combined',
  alias: 'aliases',
  'alias-add-remove': 'aliases are added and removed',
  'alias-set': 'set overrides add and remove',
  'alias-absent': 'removing what is not there is ignored',
  'alias-one-bug': 'aliases are changed on one bug at a time',
  'alias-text': 'a plain text is a set',
  assigned_to: 'login of the assignee',
  blocks: 'bugs that wait for this one',
  'blocks-add-remove': 'they are added and removed',
  'blocks-set': 'set overrides add and remove',
  'blocks-absent': 'removing what is not there is ignored',
  depends_on: 'bugs for which this one waits',
  'depends_on-add-remove': 'they are added and removed',
  'depends_on-set': 'set overrides add and remove',
  'depends_on-absent': 'removing what is not there is ignored',
  cc: 'logins on the CC list; an invalid one is an error',
  'cc-add-remove': 'they are added and removed',
  'cc-absent': 'removing what is not there is ignored',
  is_cc_accessible: 'switch for the CC list',
  is_creator_accessible: 'switch for the reporter',
  comment: 'a comment, by body or comment, private where permitted',
  comment_is_private: 'privacy of comments by id, which have to be on the bug',
  component: 'component',
  deadline: 'a day',
  dupe_of: 'makes it a duplicate',
  estimated_time: 'hours estimated',
  flags: 'changes of flags',
  groups: 'groups are added and removed; invalid ones are an error',
  keywords: 'keywords; an invalid one is an error',
  'keywords-add-remove': 'they are added and removed',
  'keywords-set': 'set overrides add and remove',
  'keywords-absent': 'removing what is not there is ignored',
  op_sys: 'operating system',
  platform: 'hardware',
  priority: 'priority',
  product: 'product, in which the user has to be able to file',
  qa_contact: 'login of the QA contact',
  remaining_time: 'hours left',
  reset_assigned_to: 'brings back the owner of the component, of the new one if that changes too',
  reset_qa_contact: 'the same for the QA contact',
  resolution: 'resolution',
  see_also: 'URLs; an invalid one to add is an error',
  'see_also-add-remove': 'they are added and removed',
  'see_also-absent': 'an invalid or absent URL to remove is ignored',
  severity: 'severity',
  status: 'status',
  summary: 'summary',
  target_milestone: 'milestone',
  url: 'URL',
  version: 'version',
  whiteboard: 'whiteboard',
  work_time: 'hours worked, taken from remaining_time unless that is given',
  custom: 'values of custom fields',
  response: 'id, alias, last_change_time and changes of each bug',
  'no-change': 'without a change, last_change_time is that of the update before',
  changes: 'from what to what each field went, lists parted by a comma and a space',
  untracked: 'comment, comment_is_private and work_time are not in changes',
  atomic: 'a refused update changes nothing',
  missing: 'a bug that does not exist is an error',
  rights: 'a field that the user may not change is an error',
  'unknown-field': 'what happens to unknown fields is seen',
  notifications: {
    says: 'an update sends notifications',
    unobservable: 'they are e-mails, which the interface does not show',
  },
};

const flagCreate: Rules = {
  name: 'type by name',
  type_id: 'type by id',
  status: 'status to set',
  requestee: 'login of the one who is asked',
  required: 'status is required',
  'create-bug': 'with a new bug',
  'create-attachment': 'with a new attachment',
  'new-in-sample': 'new is taken with a new attachment too',
};

const flagChange: Rules = {
  name: 'type by name',
  type_id: 'type by id',
  status: 'status to set; X clears',
  requestee: 'login of the one who is asked, where the type can be asked of somebody',
  id: 'one flag by its id',
  'id-required': 'several flags of one name are told apart by id',
  new: 'one more flag instead of a change',
  required: 'status is required',
  'updates-single': 'a single flag of the type is changed',
  'type-id-required': {
    says: 'several types of one name are told apart by type_id',
    unobservable: 'it takes an administrator to make two types of one name',
  },
};

const getAttachment: Rules = {
  'by-bug': 'all attachments of a bug',
  'by-id': 'one attachment by its id',
  response: 'under bugs by bug, or under attachments by id',
  rights: 'private ones come to the authorized only',
  missing: 'what does not exist',
};

const createAttachment: Rules = {
  ids: 'the bugs that get it, several at once',
  'path-and-ids': 'the bug of the path and the list of the body',
  data: 'content in Base64; required',
  file_name: 'file name; required',
  summary: 'short description; required',
  content_type: 'MIME type, not needed for a patch',
  comment: 'comment that comes with it',
  is_patch: 'whether it is a patch, which is text/plain; false by default',
  is_private: 'whether only insiders see it; false by default',
  flags: 'flags to set',
  obsoletes: 'an empty list is taken',
  response: 'ids of what was made',
};

const updateAttachment: Rules = {
  ids: 'several attachments at once',
  file_name: 'file name',
  summary: 'short description',
  comment: 'comment on the bug',
  content_type: 'MIME type',
  is_patch: 'whether it is a patch',
  is_private: 'whether only insiders see it',
  is_obsolete: 'whether it is obsolete',
  flags: 'changes of flags',
  response: 'id, last_change_time and changes of each, with 0 and 1 as texts',
  'no-change': 'without a change, last_change_time is that of the update before',
  content: 'the content is not among what can be changed',
  missing: 'what does not exist is an error',
  rights: 'somebody without rights gets an error',
};

const getComments: Rules = {
  'by-bug': 'all comments of a bug, by id or alias',
  'by-id': 'one comment by its id',
  'new-since': 'only comments that are newer',
  'new-since-by-id': 'comments by id come whatever new_since says',
  response: 'under bugs by bug, or under comments by id',
  once: 'a bug that is named several times comes once',
  private: 'private ones come to insiders only',
  hidden: 'comments of a hidden bug are refused',
  missing: 'what does not exist is an error',
};

const createComment: Rules = {
  'by-alias': 'the bug may be an alias',
  comment: 'the text',
  empty: 'an empty or blank one is an error about the comment parameter',
  is_private: 'whether only insiders see it; public by default',
  work_time: 'hours to add',
  'work_time-outside': 'hours of those outside the time-tracking group add nothing',
  length: 'the longest text',
  response: 'id of the new comment',
  missing: 'a bug that does not exist is an error',
};

const searchTags: Rules = {
  substring: 'tags that contain the text',
  limit: 'at most so many',
  response: 'a list of texts',
  rights: 'for those who may tag',
};

const updateTags: Rules = {
  comment_id: 'the comment, also named in the body',
  add: 'tags to attach',
  remove: 'tags to detach',
  response: 'the tags of the comment',
  missing: 'a comment that does not exist',
  rights: 'for those who may tag',
};

const identity: Rules = {
  'key-in-query': 'a key in the query of a read',
  'key-in-body': 'a key in the body of a write',
  'key-in-header': 'a key in a header, where that is read',
  'key-wrong': 'a wrong key is an error, an empty one is none',
  'login-required': 'writes need a login',
  'valid-login': 'a key is checked by the login that it belongs to',
  anonymous: 'what anonymous readers see',
  insider: 'private comments and attachments depend on who asks',
  'time-tracking': 'hours depend on who asks',
  'personal-tags': 'personal tags depend on who asks',
  'update-token': 'anonymous readers get no update_token',
  groups: 'what may be seen and changed depends on groups',
};

const events: Rules = {
  'mail-on-update': { says: 'an update sends e-mails', unobservable: 'the interface does not show e-mails' },
  'other-triggers': {
    says: 'other triggers, webhooks and subscriptions are not shown',
    unobservable: 'there is nothing to look at',
  },
};

const errors: Rules = {
  shape: 'error, code and message, and no error on success',
  codes: 'codes and statuses as measured on 5.2',
  'create-invalid': 'Create Bug: an invalid field, which the error names',
  'create-required': 'Create Bug: a required field that is missing',
  'create-default-missing': 'Create Bug: a defaulted field that is missing and has no default',
  'create-duplicate': 'Create Bug: the resolution DUPLICATE',
  'resolution-on-open': 'Update Bug: a resolution on an open bug',
  'resolution-missing': 'Update Bug: closing without a resolution',
  'alias-several': 'Update Bug: an alias for several bugs',
  'cc-invalid': 'Update Bug: an invalid login for the CC list',
  'group-invalid': 'Update Bug: an invalid or disallowed group',
  'keyword-invalid': 'Update Bug: an invalid keyword',
  'see-also-invalid': 'Update Bug: an invalid URL to add to see_also',
  'private-not-permitted': 'Update Bug and Create Comments: a private comment without permission',
  'comment-empty': 'Create Comments: an empty or blank comment',
  'no-resource': 'what the interface does not have',
  'wrong-type': 'a list where an object belongs',
};

const limits: Rules = {
  'limit-maximum': 'a limit above the maximum is cut to it',
  'limit-zero': 'a limit of 0 returns all',
  offset: 'limit 10 with offset 10 are results 11 to 20',
  'tag-limit': 'tag searches have a limit by default',
  'alias-unique': 'an alias is unique across the installation',
  'attachment-size': 'attachments have a largest size',
  'maximum-value': {
    says: 'the maximum itself is not shown',
    unobservable: 'the interface does not tell it, and probing takes thousands of bugs',
  },
  'rate-limits': { says: 'rate limits are not shown', unobservable: 'finding them would mean to trouble the tracker' },
};

const versions: Rules = {
  paths: 'all paths start with /rest',
  time: 'comments keep time beside creation_time',
  reporter: 'reporter is another name of creator in searches',
  'unlisted-create': 'Create Bug may take fields that are not listed',
  untracked: 'some fields are not tracked in changes yet',
  deprecation: {
    says: 'time may be removed, and more may be tracked one day',
    unobservable: 'it speaks of the future',
  },
};

export const rules: ReadonlyMap<string, Rule> = new Map([
  ...section('0', basics),
  ...section('1', service),
  ...section('2.1', bug),
  ...section('2.2', user),
  ...section('2.3', flag),
  ...section('2.4', history),
  ...section('2.5', attachment),
  ...section('2.6', comment),
  ...section('2.7', { tag: 'a plain text on a comment' }),
  ...section('3', states),
  ...section('4.1', getBug),
  ...section('4.2', bugHistory),
  ...section('4.3', search),
  ...section('4.4', createBug),
  ...section('4.5', updateBug),
  ...section('4.6.1', flagCreate),
  ...section('4.6.2', flagChange),
  ...section('4.7', getAttachment),
  ...section('4.8', createAttachment),
  ...section('4.9', updateAttachment),
  ...section('4.10', getComments),
  ...section('4.11', createComment),
  ...section('4.12', searchTags),
  ...section('4.13', updateTags),
  ...section('5', identity),
  ...section('6', events),
  ...section('7', errors),
  ...section('8', limits),
  ...section('9', versions),
]);
