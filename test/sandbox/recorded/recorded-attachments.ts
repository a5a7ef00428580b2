import {
  afresh,
  alice,
  anonymous,
  asked,
  at,
  bob,
  bridge,
  filedUpTo,
  inShape,
  type Scenario,
  scenario,
} from '../tracker/scenario.ts';

const reads: readonly Scenario[] = afresh(
  [],
  alice(`
    attach_bug9 attach_by_id attach_by_id_garbage attach_by_id_private_insider attach_by_ids_with_missing attach_deleted attach_html
    attach_include_data attach_include_fields attach_patch_flags
  `),
  bridge('attach_bug9_not_insider attach_by_ids_one_private'),
  bob('attach_update_requestee_can'),
  inShape('the message gives other advice', alice('attach_create_too_big')),
);

const plain = { ids: [32], data: 'aGVsbG8=', file_name: 'h.txt', summary: 'h', content_type: 'text/plain' };
const review = { name: 'review', status: '?', requestee: 'bob@example.test' };
const path = '/rest/bug/32/attachment';
const update = (id: number, body: Readonly<Record<string, unknown>>) =>
  asked('alice', 'PUT', `/rest/bug/attachment/${id}`, body);

/** Everything that was done to attachments of bug 32, from the first, 13, to what was left in the end. */
const writes: readonly Scenario[] = scenario(
  at('09:35:17'),
  alice('attach_create_ok'),
  asked('alice', 'POST', path, { ...plain, is_patch: true, comment: 'with a comment', flags: [review] }),
  asked('alice', 'POST', path, { ...plain, is_private: true }),
  bridge('attach_create_private_not_insider'),
  alice('attach_create_no_data attach_create_empty_data attach_create_no_summary attach_create_bad_content_type'),
  asked('alice', 'POST', path, plain),
  alice('attach_create_bad_base64'),
  asked('alice', 'POST', path, { ...plain, content_type: 'application/vnd.foo+bar; charset=x' }),
  alice('attach_create_two_bugs'),
  bob('attach_create_bob_public_bug'),
  anonymous('attach_create_anon'),
  alice('attach_create_long_file_name attach_create_path_file_name attach_create_long_summary attach_create_bad_flag'),
  asked('alice', 'POST', path, plain),
  alice('attach_create_body_ids_differ'),
  asked('alice', 'POST', path, { ...plain, data: Buffer.alloc(1_024_000, 'x').toString('base64') }),
  at('09:35:18'),
  update(13, { summary: 'newer summary' }),
  alice('attach_update_file_name attach_update_content_type'),
  update(13, { is_patch: true }),
  alice('attach_update_obsolete_comment attach_update_private attach_update_data attach_update_body_ids_override'),
  alice('attach_update_flag_set attach_update_flag_unknown'),
  update(14, { flags: [{ name: 'approval', status: '?' }] }),
  bob('attach_update_no_rights'),
  alice(
    'attach_update_missing attach_update_comment_only attach_update_no_change attach_after comments_attachment_texts',
  ),
);

/** Flags of bugs: the second asks the same person, another one instead, and another one besides. */
const flags: readonly Scenario[] = [
  ...afresh(
    [filedUpTo(58)],
    alice(
      'err_update_flag_bad_requestee err_update_flag_bad_status err_update_flag_requestee_not_allowed err_update_flag_unknown',
    ),
  ),
  ...scenario(
    filedUpTo(58),
    asked('alice', 'PUT', '/rest/bug/58', { alias: 'a', summary: 'm2' }),
    alice(
      'err_update_flag_by_type_id err_update_comment_empty err_update_no_changes err_update_same_values err_update_cf_area_string',
    ),
  ),
  ...scenario(
    filedUpTo(59),
    asked('alice', 'PUT', '/rest/bug/59', { cc: { add: ['carol@example.test'] } }),
    alice('update_flag_request update_flag_second_without_new update_flag_second_new'),
  ),
  ...afresh(
    [],
    alice('create_flags create_flags_bad flag_types_widget flag_types_component search_flag_f search_flag_requestee'),
  ),
];

/** Attachments and flags. */
export const attachmentScenarios: readonly Scenario[] = [...reads, ...writes, ...flags];
