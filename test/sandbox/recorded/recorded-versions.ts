import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import {
  admin,
  afresh,
  alice,
  anonymous,
  asked,
  bob,
  bridge,
  carol,
  inShape,
  type Scenario,
  scenario,
} from '../tracker/scenario.ts';
import { harmonyMessages, messageScenarios } from './recorded-messages.ts';

/**
 * The run that was recorded on 5.0.6, 5.3.3 and harmony, request by request on one world. Some reads of it are kept
 * back.
 */
const reads = [
  alice('meta_version meta_timezone auth_wrong_key_on_version'),
  anonymous('meta_parameters_anon'),
  alice('auth_wrong_key auth_header_x_bugzilla_api_key auth_header_bearer auth_header_token auth_header_wrong_key'),
  alice('auth_valid_login auth_valid_login_header auth_whoami_header'),
  carol('auth_login_ok'),
  alice('auth_key_in_body auth_api_key_in_body auth_header_on_post'),
  anonymous('auth_anon_post'),
  alice('get_bug1 search_default search_include_comments'),
  anonymous('get_bug1_anon'),
  bob('get_hidden_bob'),
  alice('get_comma get_custom get_dupe get_flags get_missing get_seealso'),
  alice(`
    search_alias search_comment_tag search_creator_part search_id_multi search_is_open search_lct_now search_limit0_offset3
    search_limit5_offset5 search_limit_negative search_no_criteria search_offset_only search_offset_past_end search_order_changeddate
    search_order_last_change_time search_order_nonsense search_product_unknown search_quicksearch search_resolution_empty
    search_summary_words
  `),
  alice('field_bug_status field_missing history_bad_since history_fields history_missing product_missing'),
];

const filed = [
  alice('create_ok create_unicode_escaped create_unicode_get create_unicode_comment'),
  alice('create_unicode_raw_utf8 create_unicode_raw_get create_unicode_raw_comment'),
  alice('create_alias_array create_alias_string create_alias_taken create_groups create_flags create_see_also'),
  alice(
    'create_bad_cc create_bad_component create_bad_product create_no_version create_resolution_duplicate create_status_resolved',
  ),
  alice('create_summary_256 create_unknown_field'),
  anonymous('create_anon'),
];

const updated = [
  alice('update_empty update_unknown_field update_fields update_no_change'),
  alice('update_comment_body update_comment_comment update_comment_private update_comment_after'),
  alice('update_depends_add update_depends_set update_blocks_set update_depends_set_empty update_blocks_set_empty'),
  alice(
    'update_see_also_add update_see_also_pull update_see_also_remove update_see_also_bad update_see_also_enterprise',
  ),
  alice('update_see_also_gitlab update_keywords_set update_keywords_array update_keyword_unknown'),
  alice('update_alias_set update_alias_add update_alias_string'),
  alice('update_resolved_no_resolution update_verified_from_open update_resolution_on_open update_bad_status'),
  alice('update_resolve update_reopen update_dupe update_undupe update_flag update_flag_unknown'),
  alice(
    'update_groups_add update_cf update_cf_due_iso update_assignee_empty update_assignee_unknown update_bad_component',
  ),
  alice('update_move_product_groups update_move_product_after update_groups_remove'),
  alice('update_summary_empty update_is_cc_accessible update_minor_update update_missing'),
  inShape(
    'the server puts the changes of one second in no certain order, and joins only neighbours of the same field',
    alice('update_history_after'),
  ),
  bob('update_bob_no_rights'),
  anonymous('update_anon'),
];

const attached = [
  alice('attach_create attach_create_two attach_create_unicode attach_create_flags'),
  alice('attach_create_bad_type attach_create_empty attach_create_no_data'),
  anonymous('attach_create_anon'),
  alice('attach_list attach_deleted attach_missing'),
  bob('attach_list_bug9_bob attach_private_bob'),
  alice('attach_update attach_update_data attach_update_missing'),
  bob('attach_update_no_rights attach_own_private_create'),
  asked('alice', 'PUT', '/rest/bug/attachment/18', { is_private: true }),
  anonymous('attach_own_private_list_anon'),
];

const commented = [
  alice('comment_create comments_bug comments_multi comments_new_since comments_new_since_bad'),
  bob('comments_multi_hidden comments_bug1_bob comment_private_bob'),
  alice('tags_short tags_long tags_missing_comment tags_search tags_search_limit'),
  bob('tags_bob'),
  alice('comment_edit comment_edit_after comment_edit_history comment_edit_bug_after'),
  alice('comment_render comment_render_header comment_markdown'),
];

const odd = [
  alice('err_head err_long_url err_malformed_json err_rest_cgi err_text_plain err_trailing_slash err_unknown_resource'),
];

const run = [...reads, ...filed, ...updated, ...attached, ...commented, ...odd];

const plays = (version: TrackerVersion): readonly Scenario[] => {
  const users = alice('user_match');
  const page = alice('err_json_array');
  if (version !== 'harmony') return scenario(...run, users, page);
  return scenario(
    ...run,
    inShape('groups have other numbers there, and more was asked of its users', users),
    inShape('the page was cut when it was recorded', page),
    alice('create_without_type'),
  );
};

/** What was measured later on harmony alone, on a tracker that was filled anew. */
const onHarmony = scenario(
  alice('qa_create_empty qa_set qa_empty qa_create_none qa_empty_none'),
  alice('search_tags_ignored search_tag search_chart_tags comment_by_text comment_ids_text'),
  inShape('the bug has nobody on its CC list there', [...alice('get_extra'), ...bob('get_extra_bob')]),
  alice('get_extra_dupes flag_type_missing needinfo_create_granted needinfo_create needinfo_new needinfo_new_granted'),
  alice('needinfo_new_type_granted needinfo_granted needinfo_after'),
  bob('group_insider_create'),
  alice('group_security_create group_create_none'),
  bridge('group_insider_add'),
  bob('group_create_bob group_insider_add_bob'),
  alice('group_create_other'),
  carol('group_insider_add_others'),
  alice('group_product rank_create rank_set'),
  admin('rank_set_admin'),
  alice('rank_empty rank_text rank_get'),
  inShape('the field has another number there', alice('rank_field')),
);

/** The parts of products: their numbers, and the order in which all versions show them. */
export const partScenarios: readonly Scenario[] = afresh(
  [],
  alice('field_version field_target_milestone product_parts'),
);

/** 5.3 reads no other body than JSON, tags what is filed, and answers its older interface with numbers as codes. */
const onlyJson: readonly Scenario[] = afresh(
  [],
  alice('ct_post_form ct_post_query_params_only ct_put_form ct_post_no_content_type ct_put_no_content_type'),
  alice('create_comment_tags jsonrpc_bug_get_permissive'),
);

/** The whole run on each version, as one scenario. */
export const versionScenarios: Readonly<Record<Exclude<TrackerVersion, '5.2'>, readonly Scenario[]>> = {
  '5.0': [...plays('5.0'), ...partScenarios, ...messageScenarios],
  '5.3': [...plays('5.3'), ...partScenarios, ...messageScenarios, ...onlyJson],
  harmony: [...plays('harmony'), ...partScenarios, ...onHarmony, ...harmonyMessages],
};
