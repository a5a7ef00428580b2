/**
 * The versions of the tracker that the sandbox plays: 5.0.6, 5.2, 5.3.3 (the 5.1 and 5.3 line) and harmony, which BMO
 * shares its code with.
 */
export const trackerVersions = ['5.0', '5.2', '5.3', 'harmony'] as const;
export type TrackerVersion = (typeof trackerVersions)[number];

/** One fact, in the order of `trackerVersions`. */
export const row = <const Way>(v50: Way, v52: Way, v53: Way, harmony: Way): Readonly<Record<TrackerVersion, Way>> => ({
  '5.0': v50,
  '5.2': v52,
  '5.3': v53,
  harmony,
});

const readTheDocs = (branch: string): string => `https://bugzilla.readthedocs.org/en/${branch}/api/`;

const whines = 'User can configure whine reports for self';
const contentTypes: readonly string[] = [
  'application',
  'audio',
  'image',
  'message',
  'model',
  'multipart',
  'text',
  'video',
];

const severities: readonly string[] = ['blocker', 'critical', 'major', 'normal', 'minor', 'trivial', 'enhancement'];

/**
 * The extensions that are switched on in a harmony as it comes, by their versions, as measured; its guided form is left
 * out.
 */
const harmonysExtensions: Readonly<Record<string, string>> = {
  AntiSpam: '1',
  Bitly: '1',
  BugModal: '1',
  BugmailFilter: '1',
  EditTable: '1',
  FlagDefaultRequestee: '1',
  FlagTypeComment: '1',
  OpenGraph: '1',
  ProdCompSearch: '1',
  Push: '1',
  RequestNagger: '1',
  Review: '1',
  TagNewUsers: '1',
  TrackingFlags: '1',
  TypeSniffer: '1',
  UserProfile: '1',
  UserStory: '1',
  ZPushNotify: '1',
  GitHubAuth: '0.01',
  LastResolved: '0.01',
  MozProjectReview: '0.01',
  Needinfo: '0.01',
  PhabBugz: '0.01',
  Profanivore: '0.01',
  REMO: '0.01',
  EditComments: '1.0',
  OrangeFactor: '1.0',
  SiteMapIndex: '1.0',
  Gravatar: '0',
  RestrictComments: '0',
  Webhooks: '0',
  BMO: '0.1',
  BzAPI: '0.1',
  GoogleAnalytics: '0.1',
  Splinter: '0.1',
  InlineHistory: '1.5',
  MyDashboard: '20200805.1',
  Voting: '20200805.1',
  ContributorEngagement: '2.0',
  ComponentWatching: '2',
};

/**
 * All differences between the versions, measured side by side on four live servers; beside each row stands a recording
 * that shows it, by its name in `test/recordings`. What the versions say differently in messages is in messages.ts.
 */
const differences = {
  /** meta_version */
  reported: row('5.0.6', '5.2', '5.3.3', '20200805.1'),
  /** err_unknown_resource */
  documentation: row<string>(readTheDocs('5.0'), readTheDocs('5.0'), readTheDocs('latest'), 'docs/%lang%/html/api/'),
  /** Error codes as numbers or texts: err_unknown_resource */
  codes: row('number', 'number', 'text', 'number'),
  /** Whether codes below zero reach the client with 100000 added: attach_update_data */
  shiftsCodes: row(true, true, false, true),
  /** The status of code 51: create_bad_component */
  unknownValue: row(404, 404, 404, 400),
  /** How a failure inside the server is told; 5.3 tells no code, harmony no text: update_keywords_array */
  failure: row('text', 'text', 'status-500', 'no-text'),
  /**
   * Whether a key in a header counts, and who it belongs to is told: auth_header_x_bugzilla_api_key, auth_whoami_header
   */
  headerLogin: row(false, false, true, true),
  whoami: row<'none' | 'short' | 'long'>('none', 'none', 'short', 'long'),
  /** auth_valid_login */
  validLogin: row('object', 'object', 'object', 'bare'),
  /** The length of the random part of a login token: auth_login_ok */
  tokenLength: row(10, 10, 22, 22),
  /** meta_parameters_anon */
  parameters: row(true, true, true, false),
  /** /time tells the zone (no recording; measured by hand). */
  timeZones: row(true, true, false, true),
  /** The encoding in which JSON bodies are read, whatever their type says: create_unicode_raw_get */
  bodies: row<'utf-8' | 'latin-1'>('utf-8', 'utf-8', 'latin-1', 'utf-8'),
  /** Whether a body may have any type; else only that of JSON: err_text_plain, ct_post_form */
  plainBodies: row(true, true, false, true),
  /** JSON that is not an object: err_json_array */
  oddBodies: row('empty', 'empty', 'empty', 'page'),
  /** An address of more than 8 KB: err_long_url */
  longAddress: row(414, 414, 414, 302),
  /** Whether browsers that ask for HTML get it (no recording; measured by hand). */
  htmlAnswers: row(true, true, false, false),
  /** Whether the connection ends with each answer (no recording; measured by hand). */
  closes: row(false, false, false, true),
  /**
   * Whether a write that begins during another one of its account is answered and lost (no recording; measured by
   * hand).
   */
  losesParallelWrites: row(false, false, false, true),
  /** Characters that rows other than comments keep: create_unicode_get, attach_list */
  characters: row<'bmp' | 'all'>('bmp', 'all', 'bmp', 'all'),
  /** The form of other characters in a comment that is read by its own id: comment_edit_after */
  commentById: row<'escaped' | 'plain'>('escaped', 'plain', 'escaped', 'plain'),
  /** comments_bug */
  commentKeys: row<'plain' | 'markdown' | 'raw'>('plain', 'plain', 'markdown', 'raw'),
  /**
   * Whether each comment says that it is Markdown, or the site reads all texts so, if it wants: comments_bug,
   * comment_render
   */
  markdown: row<'none' | 'comment' | 'site'>('none', 'none', 'comment', 'site'),
  rendersComments: row(false, false, false, true),
  /** Whether comments can be edited: comment_edit */
  editsComments: row(false, false, false, true),
  /** The types of bugs; where there are any, every new bug must name one: create_without_type */
  types: row<readonly string[]>([], [], [], ['defect', 'enhancement', 'task', '--']),
  /** Severities, and the priority that is none: update_fields; the severities were measured by hand. */
  severities: row(severities, severities, severities, [...severities.slice(0, -1), '--']),
  noPriority: row('---', '---', '---', '--'),
  /** Whether the values of the status begin with a nameless one, for new bugs: field_bug_status */
  namelessStatus: row(true, true, true, false),
  /** Whether a field says of its values in products that they are in use (no recording; measured by hand). */
  activeValues: row(true, true, true, false),
  /** One alias as a text, or several: create_alias_array, update_alias_add */
  aliases: row<'many' | 'one'>('many', 'many', 'many', 'one'),
  /** What an empty assignee means: update_assignee_empty */
  emptyAssignee: row('refused', 'refused', 'refused', 'unchanged'),
  /** Who an empty QA contact means: qa_empty */
  emptyQaContact: row('nobody', 'nobody', 'nobody', 'default'),
  /**
   * Whether a request for information may be granted or denied; on harmony such a flag is cleared: needinfo_granted,
   * needinfo_new_granted
   */
  grantsNeedinfo: row(true, true, true, false),
  /** Whether kinds of flags have a resource of their own: flag_type_missing */
  flagTypes: row(true, true, true, false),
  /**
   * Whether every product takes the group of insiders, from editors and from the reporter: group_insider_create,
   * group_insider_add
   */
  insidersEverywhere: row(false, false, false, true),
  /** Whether a search reads personal tags under their name in the interface: search_tags_ignored */
  searchesTags: row(true, true, true, false),
  /**
   * Whether a search refuses words for numbers, and pronouns that it does not know: message_chart_number,
   * message_chart_pronoun
   */
  refusesWords: row(true, true, true, false),
  /** What is said of the last visit to a bug: message_last_visit */
  lastVisits: row<'failure' | 'row' | 'nothing'>('failure', 'failure', 'row', 'nothing'),
  /** Whether groups are read: message_group_all */
  readsGroups: row(true, true, false, true),
  /** What a name for a callback gets that is none: message_callback_bad */
  badCallback: row('refused', 'refused', 'empty', 'refused'),
  /**
   * Whether new bugs and comments take tags, of people who may tag: create_comment_tags; harmony's source says the
   * same.
   */
  tagsOnCreation: row(false, false, true, true),
  /** How a message names a person: message_flag_asks_outsider */
  identity: row('<>', '<>', '()', '<>'),
  /** Whether a word for the number of a comment meets a check before its tags: message_tags_id_text */
  checksTagged: row(true, true, true, false),
  /** Whether the path of a comment leads nowhere without a number: comment_by_text */
  numericComments: row(false, false, false, true),
  /** The extensions that are switched on, and their versions: meta_extensions */
  extensions: row<Readonly<Record<string, string>>>({}, {}, {}, harmonysExtensions),
  /**
   * Whether a text file that holds the address of a pull request gets a type of its own (no recording; read in the
   * source of its extension).
   */
  pullRequests: row(false, false, false, true),
  /** Whether there are fields of the installation that harmony was made for: rank_field, rank_empty */
  ownFields: row(false, false, false, true),
  /** group_product */
  productKeys: row<'plain' | 'rich'>('plain', 'plain', 'plain', 'rich'),
  /** Whether a bug can leave a group: update_groups_remove, update_move_product_groups */
  leavesGroups: row(true, true, true, false),
  /** Whether a custom time is read in the form in which it is shown: update_cf_due_iso */
  wireTimes: row(false, false, false, true),
  /** Whether several lines keep the ends that the form gave them: get_custom */
  lineEnds: row<'\r\n' | '\n'>('\r\n', '\r\n', '\r\n', '\n'),
  /** update_see_also_gitlab, update_see_also_enterprise */
  issuesAnywhere: row(false, false, false, true),
  /** search_default */
  people: row<'email' | 'short' | 'nick'>('email', 'email', 'short', 'nick'),
  /** get_bug1; the rich form hides the deadline from people outside the time-tracking group: get_bug1_anon */
  bugKeys: row<'plain' | 'rich'>('plain', 'plain', 'plain', 'rich'),
  /** The first parts of content types: attach_create_bad_type */
  contentTypes: row(contentTypes, contentTypes, contentTypes, [
    ...contentTypes.slice(0, 2),
    'font',
    ...contentTypes.slice(2),
  ]),
  /** user_match */
  userKeys: row<'email' | 'short' | 'rich'>('email', 'email', 'short', 'rich'),
  whineGroup: row<string>(
    whines,
    whines,
    'Can configure queries and schedules for periodic reports to be run and sent via email to themselves',
    whines,
  ),
  /** attach_deleted */
  attachmentKeys: row<'plain' | 'rich'>('plain', 'plain', 'plain', 'rich'),
  deletedContent: row<null | ''>(null, null, '', null),
  deletedSize: row<null | 0>(null, null, null, 0),
  /** Yes and no in attachments: attach_list */
  attachmentFlags: row<'numbers' | 'booleans'>('numbers', 'numbers', 'booleans', 'numbers'),
  /** attach_create */
  createdAttachments: row('ids', 'ids', 'ids', 'objects'),
  /** Names in the history: history_fields, update_history_after */
  historyNames: row<'api' | 'internal'>('api', 'api', 'api', 'internal'),
  /** Whether a bug brings its comments, attachments and history along, but no personal tags: search_include_comments */
  nested: row(false, false, false, true),
  /** Whether a bug tells its duplicates, if asked (no recording; measured by hand); harmony always tells them. */
  showsDuplicates: row(false, false, true, false),
  /** Whether `count_only` answers a number (no recording; measured by hand). */
  countOnly: row(false, false, false, true),
};

type Differences = typeof differences;

/** How a version does something: `way(state, 'codes')`. */
export const way = <Fact extends keyof Differences>(
  { version }: { readonly version: TrackerVersion },
  fact: Fact,
): Differences[Fact][TrackerVersion] => differences[fact][version];
