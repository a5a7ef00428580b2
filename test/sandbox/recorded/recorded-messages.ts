import { afresh, alice, anonymous, bob, carol, inShape, type Scenario } from '../tracker/scenario.ts';

/** Refusals and failures that were asked for only to see their words, each on a tracker that was filled anew. */
const everywhere: readonly Scenario[] = [
  ...afresh(
    [],
    alice(`
      message_attachment_ids_text message_flag_asks_outsider message_flag_id_missing message_flag_twice message_flag_type_id_missing
      message_flag_type_product_missing message_flags_hash message_flags_texts message_tags_id_text message_tags_text message_tags_hash
      message_alias_of_several message_comment_missing_privacy message_dupe_itself
      message_dupe_of_several message_hours_many message_hours_negative message_hours_word message_keywords_add_text
      message_keywords_text message_see_also_path message_callback_bad message_field_id_missing message_field_values_no_product
      message_field_values_product_missing message_group_all message_last_visit message_user_none
    `),
    alice(`
      message_chart_and_g_count message_chart_and_g_fields message_chart_and_g_nested message_chart_and_g_product message_chart_content
      message_chart_content_empty message_chart_cp message_chart_group message_chart_joiner message_chart_matches message_chart_number
      message_chart_number_depends message_chart_number_hours message_chart_number_id message_chart_number_percent
      message_chart_operator message_chart_pair message_chart_pronoun message_chart_regexp message_chart_regexp_bracket
      message_chart_regexp_star message_quick_field message_quick_operators message_quick_quotes
    `),
    inShape(
      'the server lists the fields in no certain order',
      alice('message_quick_ambiguous message_quick_unknown_two'),
    ),
    bob('message_attachment_no_rights message_chart_private'),
    bob('message_right_cc_accessible message_right_creator_accessible message_right_dupe'),
    carol('message_right_deadline message_right_estimated message_right_work'),
    anonymous('message_chart_user_anon'),
  ),
];

/** What 5.0.6, 5.2 and 5.3.3 were asked alike. */
export const messageScenarios: readonly Scenario[] = [
  ...everywhere,
  ...afresh([], alice('message_cf_due_bad_time message_dupe_empty'), bob('message_flag_denied')),
];

export const harmonyMessages: readonly Scenario[] = [...everywhere, ...afresh([], alice('message_alias_comma'))];
