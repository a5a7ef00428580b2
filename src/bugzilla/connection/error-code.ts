import type { TrackerErrorKind } from './errors.ts';

/**
 * Every code of the tracker's web service, of 5.0, 5.2, 5.3, harmony and BMO, and what it means for the caller. Names
 * are the tracker's own. A code may mean a missing right or a missing thing; it is then classified by what the caller
 * must do.
 */
const codesOfKind: Readonly<Record<TrackerErrorKind, readonly number[]>> = {
  credentials: [
    300, // invalid_login_or_password
    301, // account_disabled
    302, // auth_invalid_email
    303, // extern_id_conflict, as the mapping of some versions spells it
    -303,
    305, // password_change_required
    306, // api_key_not_valid, api_key_revoked
    307, // auth_invalid_token
    410, // login_required
  ],
  missing: [
    100, // a bug's id or alias that leads nowhere
    101, // bug_id_does_not_exist
    111, // comment_id_invalid
  ],
  hidden: [
    102, // bug_access_denied
    110, // comment_is_private
  ],
  absent: [
    32614, // rest_invalid_resource
    100302, // harmony's words for a method that it does not have, with a success status
  ],
  invalid: [
    50, // param_required, object_not_specified, an empty comment
    51, // object_does_not_exist: a keyword, user, version, milestone, component, status, flag type
    52, // param_must_be_numeric
    53, // param_invalid, an unknown field of a new bug
    54, // number_too_large
    55, // number_too_small
    56, // illegal_date
    57, // param_integer_required
    58, // param_scalar_array_required; BMO: request_too_large
    103, // alias_in_use, alias_too_long, alias_is_numeric
    104, // illegal_field, freetext_too_long
    105, // a component that does not exist or was not given
    107, // require_summary
    108, // invalid_field_name
    112, // bug_url_invalid
    114, // comment_too_long
    116, // dependency_loop
    117, // comment_invalid_isprivate
    118, // dupe_loop_detected
    119, // dupe_id_required
    126, // comment_tag_invalid
    127, // comment_tag_too_long
    128, // comment_tag_too_short
    129, // flag_status_invalid
    132, // flag_not_unique
    133, // flag_type_not_unique
    135, // bug_type_required
    504, // invalid_username, invalid_user_group
    600, // file_too_large
    601, // invalid_content_type
    602,
    603, // file_not_specified
    604, // missing_attachment_description
    605,
    606, // zero_length_file
    804, // invalid_group_name
    1000, // buglist_parameters_required
    32600, // the tracker's words for a body that is no request
    32610, // rest_invalid_*: a request that no resource can take
    32611,
    32612,
    32613,
    -32600,
    -32601, // unknown_method, an unknown field of an attachment
    -32602,
    -32700, // a body that is no JSON
  ],
  refused: [
    106, // a product that does not exist or may not be entered
    109, // product_edit_denied
    113, // user_not_insider
    115, // illegal_change
    120, // group_restriction_not_allowed
    121, // missing_resolution
    122, // resolution_not_allowed
    123, // illegal_bug_status_transition
    125, // comment_tag_disabled
    130, // flag_update_denied
    131, // flag_type_requestee_disabled
    134, // flag_type_inactive
    136, // reactions
    137,
    138,
    139,
    140, // markdown_disabled
    304, // auth_failure: a group is missing
    500, // account_exists
    501, // illegal_email
    502, // password rules
    503,
    505, // user_access_denied
    805, // group_cannot_view
    900, // classification_not_enabled
    32000, // any other error of the caller
  ],
  limited: [],
  unavailable: [
    1001, // db_search_timeout
  ],
  'unknown-outcome': [
    -32000, // any other inner error, among them a mail that could not be sent after the change was stored
    100500, // an exception inside, possibly after the change was stored
  ],
};

/**
 * From a code to its kind. The 700s, 800s, 1100s to 1400s belong to resources that this client does not write, and are
 * refusals.
 */
export const kindOfCode: Readonly<Record<string, TrackerErrorKind>> = Object.fromEntries(
  kinds().flatMap((kind) => codesOfKind[kind].map((code) => [code, kind])),
);

function kinds(): readonly TrackerErrorKind[] {
  return [
    'credentials',
    'missing',
    'hidden',
    'absent',
    'invalid',
    'refused',
    'limited',
    'unavailable',
    'unknown-outcome',
  ];
}
