import { afresh, alice, at, changed, commented, filedUpTo, type Scenario, scenario } from '../tracker/scenario.ts';

/** How a bug of the recording's own stood before the update: the changes made to it. */
const after = (bug: number, ...changes: readonly Readonly<Record<string, unknown>>[]) => [
  filedUpTo(bug),
  ...changes.map((change) => changed(bug, change)),
];

const fixed = { status: 'RESOLVED', resolution: 'FIXED' };

const status: readonly Scenario[] = [
  ...afresh(after(58, { status: 'IN_PROGRESS' }), alice('update_resolve_fixed_with_comment')),
  ...afresh(
    after(58, fixed),
    alice(
      'update_change_resolution_only update_clear_resolution update_status_resolved_only_when_resolved update_resolve_again_other',
    ),
  ),
  ...afresh(
    after(58, { status: 'RESOLVED', resolution: 'WONTFIX' }, { status: 'VERIFIED' }),
    alice('update_reopen_confirmed'),
  ),
  ...afresh(after(58, { dupe_of: 11 }), alice('update_dup_to_fixed')),
  ...afresh(after(58, fixed, { status: 'UNCONFIRMED' }, fixed), alice('update_lowercase_status')),
  ...afresh(after(58, fixed, { status: 'UNCONFIRMED' }), alice('update_resolve_with_dup_resolution_and_dupe_of')),
];

const lists: readonly Scenario[] = [
  ...afresh(after(59, { cc: { add: ['bob@example.test', 'carol@example.test'] } }), alice('update_cc_remove')),
  ...afresh(after(59, { keywords: { add: ['crash', 'regression'] } }), alice('update_keywords_remove')),
  ...afresh(after(59, { keywords: { add: ['regression'] } }), alice('update_keywords_set')),
  ...afresh(after(59, { keywords: { add: ['crash', 'regression', 'security'] } }), alice('update_keywords_set_empty')),
  ...afresh(after(59, { groups: { add: ['security'] } }), alice('update_groups_remove')),
  ...afresh(after(59, { see_also: { add: ['https://github.com/o/r/issues/42'] } }), alice('update_see_also_remove')),
  ...afresh(
    after(64, { see_also: { add: ['https://github.com/o/r/issues/1'] } }),
    alice('see_also_https_github_com_o_r_issues_1'),
  ),
  ...afresh(
    after(64),
    alice(`
      see_also_http_github_com_o_r_issues_2 see_also_https_github_com_o_r_pull_3 see_also_https_github_com_o_r_issues_4_issuecomment_5
      see_also_https_github_com_o_r_issues_5_x_1 see_also_https_github_com_o_r see_also_https_github_com_o_r_discussions_9
      see_also_https_github_com_o_r_commit_abcdef see_also_https_www_github_com_o_r_issues_6
    `),
  ),
];

const collisions: readonly Scenario[] = [
  ...afresh(after(59, { assigned_to: 'bob@example.test' }), alice('update_reset_assigned_to')),
  ...afresh(after(60, { summary: 'mine2' }), alice('update_collision_last_change_time_old')),
  ...afresh(after(60, { summary: 'mine3' }), alice('update_collision_update_token_stale')),
];

/** Two comments and two changes, a second apart. */
const secondsApart: readonly Scenario[] = afresh(
  [
    at('09:34:20'),
    filedUpTo(58),
    at('09:34:25'),
    commented(58, 'c1'),
    at('09:34:26'),
    commented(58, 'c2'),
    filedUpTo(59),
    at('09:34:29'),
    changed(59, { whiteboard: 'w1' }),
    at('09:34:30'),
    changed(59, { whiteboard: 'w2' }),
  ],
  alice(`
    comments_new_since_minus1 comments_new_since_frac comments_new_since_noz comments_new_since_offset comments_new_since_multi
    comments_new_since_by_comment_id history_new_since_exact_second history_new_since_multi
  `),
);

const fields: readonly Scenario[] = [
  ...afresh(
    [filedUpTo(59)],
    alice('update_deps_array update_see_also_array update_cf_due_iso_z err_update_cf_area_bad err_update_cf_due_bad'),
  ),
  ...afresh(after(59, { summary: 'upd' }), alice('update_many_fields')),
  ...scenario(
    filedUpTo(59),
    changed(59, { alias: 'al-a' }),
    alice('update_alias_set_string update_alias_set_array update_alias_set'),
  ),
  ...scenario(filedUpTo(59), alice('update_cf_due_date_only update_cf_due_minutes')),
  ...scenario(filedUpTo(59), alice('update_move_product_ok update_move_product_missing_milestone')),
  ...afresh([], alice('create_cf_due_iso create_comment_over_max')),
  ...scenario(at('09:38:18'), filedUpTo(92), alice('create_ok create_ok_then_get create_ok_history')),
  ...scenario(
    at('09:53:27'),
    filedUpTo(58),
    changed(58, fixed),
    at('09:53:28'),
    changed(58, { status: 'UNCONFIRMED' }),
    alice('history_is_confirmed'),
  ),
];

/** Updates of bugs that were filed for them, and reads by the second. */
export const updateScenarios: readonly Scenario[] = [...status, ...lists, ...collisions, ...secondsApart, ...fields];
