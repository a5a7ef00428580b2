import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { afresh, alice, anonymous, bob, bridge, filedUpTo, type Scenario, type Step } from '../tracker/scenario.ts';

/** Recordings that need nothing before them but the recorded content; each on a world of its own. */
const alone: readonly Scenario[] = afresh(
  [],
  anonymous(`
    auth_anon_post_comment auth_api_key_empty auth_api_key_wrong auth_basic auth_bearer auth_header_on_post
    auth_header_x_bugzilla_token auth_key_on_version auth_token_bad auth_wrong_key_on_post create_anon ct_double_encoded_alias
    ct_etag ct_get_no_accept ct_rest_cgi_path ct_trailing_slash err_bug_no_permission_anon history_anon meta_extensions
    meta_parameters product_anon search_anon_emails search_no_criteria_anon
  `),
  alice(`
    auth_api_key_in_body auth_key_while_locked auth_query_Bugzilla_api_key auth_valid_login_key auth_valid_login_other auth_whoami
    comment_count_by_id_same_second comment_create_body_wrong_key comment_create_comment_tags comment_create_is_private_0
    comment_create_is_private_false comment_create_is_private_string_false comment_create_markdown comment_create_minor_update
    comment_create_private_old_name comment_render comments_alias comments_bug1 comments_by_id comments_by_id_garbage
    comments_by_id_plus_bug comments_by_ids comments_exclude_fields comments_multi_alias_and_dup comments_multi_ids
    comments_multi_ids_comma comments_multi_path_comma comments_private_desc_insider create_alias_array create_alias_taken
    create_bad_assignee create_bad_cc create_bad_component create_bad_keyword create_bad_milestone create_bad_product
    create_bad_status create_comment_field create_comment_is_private create_comment_max create_comment_tags create_creation_ts_spoof
    create_deadline create_depends_missing create_groups create_int_summary create_keywords_array create_keywords_string
    create_minimal create_missing_component create_missing_description create_missing_op_sys create_missing_platform
    create_missing_product create_missing_version create_null_description create_ok create_see_also create_see_also_bad
    create_status_in_progress create_status_resolved create_status_resolved_no_resolution create_status_unconfirmed
    create_summary_255 create_summary_256 create_summary_newline create_unknown_field ct_post_charset ct_post_path_id_vs_body_id
    ct_post_query_overrides_body ct_post_query_params_only ct_post_text_plain ct_put_body_id_overrides_path dup_of_private
    duplicates_endpoint err_bug_alias_missing err_bug_missing err_bug_missing_huge err_bug_negative err_comment_absent
    err_comment_empty err_comment_on_missing_bug err_comment_whitespace err_json_array err_json_empty_body err_json_latin1
    err_method_delete err_put_on_collection err_unknown_resource err_unknown_subresource err_update_missing_bug field_bug_status
    field_by_id field_component field_missing field_names_param field_priority field_resolution field_status_alias_name
    get_bug_all_plus_tags get_multiple get_same_twice head_bug history_att history_bug1 history_bug1_empty history_dup
    history_dup_target history_flags history_move history_multi history_workflow meta_extensions_auth meta_version_auth product_all
    product_case product_missing product_names search_alias search_alias_multi search_bad_field_boolean search_bug_id
    search_bug_status search_bug_status_all search_bug_status_closed search_bug_status_open search_cc search_classification
    search_component search_creator search_creator_substring search_dupe_of search_exclude search_id_many search_id_multi
    search_ids_param search_inc_assigned_to_sub search_inc_attachments search_inc_cc_sub search_inc_comments search_inc_creator
    search_inc_creator_detail search_inc_custom search_inc_default search_inc_description search_inc_flags_sub search_inc_plus
    search_inc_repeat search_inc_spaces search_inc_tags search_inc_unknown search_inc_update_token search_inc_votes
    search_include_none search_is_open search_keywords search_keywords_two search_limit0_offset3 search_limit5 search_limit_garbage
    search_limit_huge search_limit_negative search_no_criteria search_offset_no_limit search_offset_past_end
    search_only_unknown_param search_order_ties search_order_ties_desc_bugid search_platform search_priority search_product
    search_product_multi search_product_unknown search_reporter search_see_also_direct search_see_also_exact
    search_see_also_f_equals search_severity search_status search_status_multi search_summary search_summary_emoji
    search_summary_fold search_summary_unicode search_summary_words search_tag search_tags search_target_milestone search_version
    search_whiteboard see_also_local_of_seed update_by_alias update_collision_token_stale update_comment_tags_param update_multi_ids
    update_multi_one_bad update_multi_one_missing
  `),
  bridge(`
    comments_multi_with_private create_comment_is_private_outsider create_secret_product_no_access dup_pick_private_target_outsider
    err_bug_in_secret_product err_comment_on_private_bug err_comment_private_by_id err_comment_private_not_insider
    err_get_permissive_mixed err_update_private_bug product_secret search_id_with_missing_and_private search_product_not_visible
  `),
  bob(`
    create_bob_default create_bob_priority create_bob_status_confirmed
  `),
);

/** These worked on bugs 58 and 59, filed for them. */
const onFiledBugs: readonly Scenario[] = afresh(
  [filedUpTo(59)],
  anonymous(`
    err_update_no_rights_anon
  `),
  alice(`
    comments_new_since_empty err_update_alias_in_use err_update_alias_long err_update_alias_numeric err_update_bad_assignee
    err_update_bad_cc err_update_bad_component err_update_bad_milestone err_update_bad_priority err_update_bad_product
    err_update_bad_severity err_update_bad_status err_update_cc_remove_not_there err_update_comment_is_private_toggle_bad
    err_update_deadline_bad err_update_dep_loop err_update_dep_self err_update_dupe_missing err_update_dupe_no_target
    err_update_dupe_self err_update_keyword_as_array err_update_keyword_as_string err_update_keyword_bad_add
    err_update_keyword_bad_set err_update_op_sys_bad err_update_product_without_component err_update_qa_contact_bad
    err_update_resolution_on_open err_update_resolved_without_resolution err_update_see_also_bad err_update_see_also_garbage
    err_update_status_same err_update_summary_empty err_update_unconfirmed_to_verified err_update_unknown_custom_field
    err_update_unknown_field history_new_since_future update_assigned_to_empty update_cc_add_remove update_comment_and_private
    update_comment_tags_in_update update_deps_add update_groups_add update_keywords_add update_keywords_add_case
    update_keywords_add_comma_string update_keywords_remove_unknown update_minor_update update_resolve_dup_dupe_of_only
    update_resolve_same update_see_also_remove_missing update_see_also_set update_whiteboard
  `),
  bridge(`
    err_update_group_not_member
  `),
  bob(`
    err_update_no_rights_bob
  `),
);

const cutAtTen: Step = ({ world }) => {
  world.state.maxSearchResults = 10;
};

const ofTen: readonly Scenario[] = afresh(
  [cutAtTen],
  alice(`
    search_max10_limit0_offset10 search_max10_limit20 search_max10_limit20_offset10
  `),
);

/** Searches by time were recorded after bugs 2, 4 and 5 had been changed. */
const touched: Step = ({ world }) => {
  const times = { 4: '09:32:13', 2: '09:32:14', 5: '09:32:16' };
  for (const [bug, time] of Object.entries(times)) touch(world, Number(bug), Date.parse(`2026-11-21T${time}Z`));
};

const touch = (world: TrackerWorld, bug: number, at: number): void => {
  world.as('alice').comment(bug, 'x', { stampedMsAgo: world.now() - at });
};

const searches: readonly Scenario[] = afresh(
  [],
  alice(`
    search_cf_area search_cf_area_f search_cf_branch search_comment_count search_count_only search_id_mode_exclude search_longdesc
    search_quicksearch_all search_quicksearch_with_limit
  `),
  bob('search_longdesc_bob'),
);

const byTime: readonly Scenario[] = afresh(
  [touched],
  alice('search_chfieldfrom'),
  alice(`
    search_bool_bug_id_gt search_bool_delta_ge_iso search_bool_delta_le search_bool_keyset search_lct_compact search_lct_empty
    search_lct_epoch search_lct_exact search_lct_future search_lct_minus1 search_lct_minutes search_lct_now search_lct_noz
    search_lct_noz_plus1 search_lct_offset_plus0200 search_lct_offset_plus2 search_lct_offset_plus2_1s search_lct_plus1
    search_lct_relative search_lct_utcname search_order_ search_order_Assignee search_order_Bug_Number search_order_Importance
    search_order__changeddate search_order_bug_id search_order_bugs_delta_ts search_order_bugs_delta_ts_DESC
    search_order_changeddate search_order_changeddate_DESC search_order_changeddate_DESC_bug_id_DESC search_order_changeddate_bug_id
    search_order_creation_time_DESC search_order_creation_ts_DESC search_order_delta_ts search_order_delta_ts_DESC
    search_order_id_DESC search_order_last_change_time search_order_last_change_time_DESC search_order_last_change_time_id
    search_order_nonsense search_order_nonsense_bug_id_DESC search_order_opendate search_order_opendate_DESC
    search_order_relevance_desc search_order_reuse_last_sort
  `),
);

/** Reads and searches, and writes that need little before them. */
export const readScenarios: readonly Scenario[] = [...alone, ...onFiledBugs, ...searches, ...ofTen, ...byTime];
