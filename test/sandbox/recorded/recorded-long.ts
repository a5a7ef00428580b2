import {
  alice,
  anonymous,
  asked,
  at,
  bridge,
  commented,
  filedUpTo,
  inShape,
  type Play,
  type Scenario,
  type Step,
  scenario,
} from '../tracker/scenario.ts';

type Body = Readonly<Record<string, unknown>>;

const update = (bug: number, ...bodies: readonly Body[]): readonly Step[] =>
  bodies.map((body) => asked('alice', 'PUT', `/rest/bug/${bug}`, body));
const updateAttachment = (id: number, ...bodies: readonly Body[]): readonly Step[] =>
  bodies.map((body) => asked('alice', 'PUT', `/rest/bug/attachment/${id}`, body));
const comment = (bug: number, text: string, rest: Body = {}): Step =>
  asked('alice', 'POST', `/rest/bug/${bug}/comment`, { comment: text, ...rest });
const attach = (bug: number, rest: Body = {}): Step =>
  asked('alice', 'POST', `/rest/bug/${bug}/attachment`, {
    data: 'aGVsbG8=',
    file_name: 'x',
    summary: 'x',
    content_type: 'text/plain',
    ...rest,
  });

/** The numbers of what is made next, where the recorded run had made more before. */
const numbering =
  (bug: number, commentId: number, attachment: number): Step =>
  ({ world }) => {
    world.state.nextBug = bug;
    world.state.nextComment = commentId;
    Object.assign(world.state, { nextAttachment: attachment });
  };

const github = 'https://github.com/o/r/issues';

const dependsOn = (bug: number, on: readonly number[]): Step =>
  asked('alice', 'POST', '/rest/bug', {
    product: 'Widget',
    component: 'Core',
    version: '1.0',
    summary: `number ${bug}`,
    description: 'd',
    depends_on: on,
  });

const gluing =
  'the server puts the changes of one second in no certain order, and joins only neighbours of the same field';

/** Changes of every kind within a few seconds. */
const manyChanges: readonly Scenario[] = scenario(
  at('09:36:19'),
  numbering(60, 198, 29),
  filedUpTo(61),
  comment(60, 'c'),
  ...update(60, { comment_is_private: { 200: true } }),
  at('09:36:20'),
  ...update(
    60,
    { comment_is_private: { 200: false } },
    { cc: { add: ['carol@example.test'] } },
    { cc: { remove: ['carol@example.test'] } },
  ),
  ...update(
    60,
    { keywords: { add: ['crash'] } },
    { see_also: { add: [`${github}/9`] } },
    { see_also: { remove: [`${github}/9`] } },
  ),
  ...update(
    60,
    { see_also: { add: ['61'] } },
    { see_also: { remove: ['http://tracker.example.test/show_bug.cgi?id=61'] } },
  ),
  ...update(60, { depends_on: { add: [61] } }),
  attach(60),
  comment(60, 'c2'),
  comment(60, 'c3', { is_private: true }),
  at('09:36:21'),
  ...update(60, { depends_on: { remove: [61] } }, { blocks: { add: [61] } }),
  dependsOn(62, [60]),
  ...update(60, { status: 'RESOLVED', resolution: 'FIXED' }, { status: 'CONFIRMED' }),
  filedUpTo(63),
  ...update(63, { dupe_of: 61 }),
  at('09:36:22'),
  ...update(63, { status: 'CONFIRMED' }, { dupe_of: 61 }, { dupe_of: 60 }),
  attach(60),
  ...update(60, { flags: [{ name: 'blocker', status: '?' }] }, { flags: [{ name: 'blocker', status: 'X' }] }),
  ...updateAttachment(29, { summary: 'y' }),
  at('09:36:23'),
  ...updateAttachment(29, { is_private: true }, { is_obsolete: true, comment: 'hm' }),
  ...update(60, { alias: 'bump-alias' }, { alias: { remove: ['bump-alias'] } }),
  at('09:36:24'),
  ...update(60, { deadline: '2027-01-01' }, { groups: { add: ['security'] } }, { groups: { remove: ['security'] } }),
  ...update(60, { is_cc_accessible: false }, { estimated_time: 5 }, { cf_area: ['ui'] }),
  // Attachments are deleted in the web pages only, which leave this note.
  commented(
    60,
    'The content of attachment 29 has been deleted for the following reason:\n\ncontained a password',
    'admin',
  ),
  alice('comments_after_many_changes comments_dup_bug'),
  inShape(gluing, alice('history_after_many_changes history_dup_bug')),
);

/** A comment and its privacy, as the history shows it to those who may and may not see it. */
const privacy = (...plays: readonly (Step | readonly Play[])[]): readonly Scenario[] =>
  scenario(
    at('09:37:04'),
    numbering(64, 217, 31),
    filedUpTo(64),
    comment(64, 'very private text', { is_private: true }),
    comment(64, 'was public text'),
    attach(64, { flags: [{ name: 'review', status: '?', requestee: 'bob@example.test' }] }),
    ...updateAttachment(
      31,
      { flags: [{ name: 'review', status: '+' }] },
      { file_name: 'z' },
      { content_type: 'text/html' },
      { is_patch: true },
    ),
    at('09:37:05'),
    filedUpTo(65),
    ...update(64, { see_also: { add: [65] } }),
    ...[
      `${github}/1`,
      `${github}/2`,
      'https://github.com/o/r/pull/3',
      `${github}/4#issuecomment-5`,
      `${github}/5?x=1`,
    ].flatMap((url) => update(64, { see_also: { add: [url] } })),
    ...update(
      64,
      { see_also: { add: ['https://github.com/O/R/issues/7'] } },
      { see_also: { add: ['https://github.com/o/r.name-x/issues/8'] } },
    ),
    ...update(64, { comment_is_private: { 219: true } }),
    at('09:37:07'),
    ...update(64, { comment_is_private: { 218: false } }),
    ...plays,
  );

const privacies: readonly Scenario[] = [
  ...privacy(
    inShape(gluing, anonymous('history_private_toggle_anon')),
    inShape(gluing, bridge('history_private_toggle_outsider')),
  ),
  ...privacy(
    at('09:37:08'),
    ...update(64, { comment_is_private: { 218: true } }),
    inShape(gluing, alice('history_private_toggle_insider')),
  ),
];

/** Scenarios with many steps before the recorded requests. */
export const longScenarios: readonly Scenario[] = [...manyChanges, ...privacies];
