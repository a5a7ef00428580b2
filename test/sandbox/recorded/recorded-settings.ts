import type { SettingName } from '../../../src/sandbox/tracker/installation/settings.ts';
import {
  afresh,
  alice,
  anonymous,
  asked,
  at,
  inShape,
  type Scenario,
  type Step,
  scenario,
} from '../tracker/scenario.ts';

/** Parameters that the administrator of the recorded server had changed for a while. */
const set =
  (changes: Partial<Readonly<Record<SettingName, string>>>): Step =>
  ({ world }) => {
    world.state.settings = { ...world.state.settings, ...changes };
  };

const switches: readonly Scenario[] = [
  ...afresh(
    [set({ webservice_email_filter: '1' })],
    anonymous('emailfilter_anon_bug emailfilter_anon_comments emailfilter_anon_history'),
    alice('emailfilter_auth_bug'),
  ),
  ...afresh(
    [set({ requirelogin: '1' })],
    anonymous('requirelogin_anon_bug requirelogin_anon_search requirelogin_anon_version'),
  ),
  ...afresh(
    [set({ search_allow_no_criteria: '0' })],
    alice('search_nocriteria_lct search_nocriteria_limit search_nocriteria_unknown_param'),
  ),
  // The server took this one with a search that has no criteria either, so it came before the change of the parameter.
  ...afresh([], alice('search_nocriteria_key_only')),
  ...afresh([set({ commentonduplicate: '1' })], alice('param_comment_required_on_dup')),
  ...afresh([set({ noresolveonopenblockers: '1' })], alice('param_noresolveonopenblockers')),
  ...afresh(
    [set({ mail_delivery_method: 'SMTP', smtpserver: '192.0.2.1:9' })],
    inShape('the first of the recipients, who have no order', alice('smtp_down_comment smtp_down_update')),
  ),
];

const wrongPassword: Step = async ({ ask }) => {
  await ask('nobody', 'GET', '/rest/login?login=carol@example.test&password=wrong').catch(() => null);
};

const lockout: readonly Scenario[] = [
  ...scenario(at('09:44:20'), ...Array.from({ length: 5 }, () => wrongPassword), anonymous('auth_login_locked')),
];

const inNewYork: Step = ({ world }) => {
  world.state.timeZone = 'America/New_York';
};

/**
 * Times without a zone are those of the server, which was moved to New York for these; times are answered in UTC all
 * the same.
 */
const zone: readonly Scenario[] = scenario(
  inNewYork,
  at('09:45:02'),
  asked('alice', 'POST', '/rest/bug', {
    product: 'Widget',
    component: 'Core',
    version: '1.0',
    summary: 'tz',
    description: 'd',
    deadline: '2027-07-04',
    cf_due: '2027-07-04 12:00:00',
  }),
  anonymous('tz_time'),
  alice(`
    tz_bug tz_lct_utc_exact tz_lct_offset_exact tz_lct_noz_utc_value tz_lct_noz_local_value tz_lct_noz_local_plus1 tz_lct_noz_utc_minus4h
    tz_bool_local tz_bool_local_plus1 tz_bool_iso_z_plus1 tz_chfieldfrom_local_plus1 tz_chfieldfrom_z tz_chfieldfrom_z_plus1
  `),
  at('09:45:04'),
  asked('alice', 'POST', '/rest/bug/58/comment', { comment: 'c1' }),
  asked('alice', 'PUT', '/rest/bug/58', { deadline: '2027-01-05', cf_due: '2027-01-04 12:00:00' }),
  alice(`
    tz_new_since_noz_local tz_new_since_noz_local_exact tz_new_since_z_exact tz_new_since_z_minus1 tz_history
  `),
  asked('alice', 'PUT', '/rest/bug/58', { comment_is_private: { 178: true } }),
  alice('tz_history_new_since_z_exact tz_history_new_since_z_minus1'),
  at('09:45:05'),
  alice('tz_update_response tz_get_after_update'),
  asked('alice', 'POST', '/rest/bug/58/attachment', {
    data: 'eA==',
    file_name: 'f',
    summary: 's',
    content_type: 'text/plain',
  }),
  alice('tz_att_update_response'),
);

/** Installations that are set up in another way. */
export const settingScenarios: readonly Scenario[] = [...switches, ...lockout, ...zone];
