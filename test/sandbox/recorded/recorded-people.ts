import {
  admin,
  afresh,
  alice,
  anonymous,
  asked,
  at,
  bob,
  bridge,
  by,
  carol,
  filedUpTo,
  type Scenario,
  scenario,
} from '../tracker/scenario.ts';

const identity: readonly Scenario[] = [
  ...afresh(
    [],
    anonymous('auth_login_bad auth_login_missing auth_login_restrict auth_query_login_password'),
    by('disabled')('auth_api_key_disabled_user'),
  ),
  ...scenario(
    anonymous('auth_login_ok auth_token_param auth_Bugzilla_token_param auth_logout auth_token_after_logout'),
  ),
  ...afresh([], alice('create_assignee_disabled')),
];

const tagged = '/rest/bug/comment/2/tags';
const commentTags: readonly Scenario[] = scenario(
  alice(`
    comment_tags_add comment_tags_add_no_id_in_body comment_tags_bad_chars comment_tags_comma comment_tags_dash_colon comment_tags_emoji
    comment_tags_too_short comment_tags_url comment_tags_missing comment_tags_remove comment_tags_remove_missing comment_tags_search
    comment_tags_search_limit comment_tags_search_none
  `),
  bob('comment_tags_bob_no_rights'),
  carol('comment_tags_not_tagger comment_tags_search_nontagger'),
  anonymous('comment_tags_search_anon'),
  asked('alice', 'PUT', tagged, { add: ['b'.repeat(24)] }),
  alice('comment_tags_visible'),
);

const hiding: readonly Scenario[] = [
  ...afresh([({ world }) => world.hide(2)], bridge('became_private_get became_private_comment')),
  ...scenario(
    at('09:46:16'),
    asked('alice', 'PUT', '/rest/bug/3', { blocks: { add: [25] } }),
    bridge('deps_hidden_bug_seen_by_outsider deps_hidden_history'),
    alice('dup_of_private'),
    bridge('dup_of_private_seen'),
  ),
];

const hours: readonly Scenario[] = [
  ...afresh(
    [],
    alice('comment_create_work_time history_time_insider'),
    bridge('comment_create_work_time_outsider history_time_outsider'),
  ),
  ...afresh([filedUpTo(59)], alice('update_work_time update_work_time_no_comment')),
];

const pages: readonly Scenario[] = [
  ...afresh([], alice('err_malformed_json')),
  ...afresh([], alice('jsonrpc_bug_comments_many jsonrpc_bug_get_permissive jsonrpc_possible_duplicates')),
  ...afresh(
    [],
    anonymous('ct_get_accept_browser ct_get_accept_html ct_get_accept_js ct_get_jsonp'),
    alice('ct_post_form ct_post_no_content_type ct_put_form ct_put_no_content_type err_json_string'),
  ),
];

const meta: readonly Scenario[] = afresh(
  [at('09:39:17')],
  anonymous('meta_last_audit_time meta_time user_anon user_match_anon'),
  admin('group_get meta_parameters_auth'),
  alice(`
    meta_last_audit_time_auth meta_last_audit_time_class meta_parameters_nonadmin classification field_cf_area field_values_component
    product_accessible product_enterable user_by_name user_match user_match_short user_missing user_names_one_missing
  `),
  bridge('user_self_groups product_selectable'),
);

/** Who may do what, and what else a tracker tells about itself. */
export const peopleScenarios: readonly Scenario[] = [
  ...identity,
  ...commentTags,
  ...hiding,
  ...hours,
  ...pages,
  ...meta,
];
