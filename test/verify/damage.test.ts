import { expect, test } from 'vitest';
import type { LabelRule, Route } from '../../src/model/route.ts';
import { edgesOn, repo, type Stage } from '../simulation/stage.ts';
import { some } from '../tiers/depth.ts';
import { linesOf, type Mirror, mirrored, mirrorRoute, type Places, untilQuiet, verified } from './mirror.ts';

/**
 * Everything that can go wrong with a mirror, done to one that is right. Each has to be found and named, and nothing
 * else with it.
 */
interface Damage {
  readonly name: string;
  readonly plant: (world: Stage, at: Places) => unknown;
  /** Where it takes another route than most. */
  readonly route?: Route;
  /** One pattern for each line that verify then says, in any order; `BUG`, `ISSUE` and such stand for ids. */
  readonly lines: readonly RegExp[];
}

const bot = (world: Stage) => world.github.as('bugferry-bot');
const mona = (world: Stage) => world.github.as('mona');
const bodyOf = (world: Stage, id: number): string =>
  world.github
    .issues(repo)
    .flatMap(({ number }) => world.github.commentsOf(repo, number))
    .find((comment) => comment.id === id)?.body ?? '';
/** Changes a comment on GitHub as its author could. */
const edit = (world: Stage, id: number, change: (body: string) => string) =>
  mona(world).editComment(repo, id, change(bodyOf(world, id)));
const editBody = (world: Stage, issue: number, change: (body: string) => string) =>
  mona(world).edit(repo, issue, { body: change(world.github.issue(repo, issue)?.body ?? '') });
const attachmentStore = (world: Stage) => edgesOn(world).files(mirrorRoute)?.attachmentStore;
const upload = (path: string, bytes: Uint8Array) => ({
  path,
  type: 'application/octet-stream',
  open: async () => ({ kind: 'applied', item: bytes }) as const,
});
const dumpPath = (at: Places): string => `0-999/${at.bug}/1-dump.bin`;
const dump = Uint8Array.from({ length: 3_000 }, (_, index) => index % 251);
/** Replaces a comment of the tracker in place, as only an administrator of its database can. */
function rewrite(world: Stage, bug: number, words: string, change: (text: string) => string): void {
  const comments = world.tracker.state.comments.get(bug) ?? [];
  world.tracker.state.comments.set(
    bug,
    comments.map((comment) => (comment.text.includes(words) ? { ...comment, text: change(comment.text) } : comment)),
  );
}
const dropComment = (world: Stage, bug: number, words: string) =>
  world.tracker.state.comments.set(
    bug,
    (world.tracker.state.comments.get(bug) ?? []).filter(({ text }) => !text.includes(words)),
  );

const typedRoute: Route = {
  ...mirrorRoute,
  labels: [...mirrorRoute.labels, { from: 'priority', as: '{value}', both: true, isType: true }],
};
const fieldRoute: Route = {
  ...mirrorRoute,
  labels: [
    ...mirrorRoute.labels.filter(({ from }) => from !== 'keywords'),
    { from: 'priority', as: '{value}', both: true, field: 'Priority' },
    { from: 'keywords', as: '{value}', both: true, field: 'Tags' },
  ],
};
const lockedRoute: Route = { ...mirrorRoute, direction: 'to-github', visitors: 'lock' };

const damages: readonly Damage[] = [
  {
    name: 'the copy of a comment is missing',
    plant: (world, at) => mona(world).deleteComment(repo, at.copy('First thought.')),
    lines: [/comment: comment 1 is missing on GitHub/u],
  },
  {
    name: 'the copy of a comment has other words',
    plant: (world, at) =>
      edit(world, at.copy('First thought.'), (body) => body.replace('First thought', 'First though')),
    lines: [/comment: comment 1 reads differently on GitHub/u],
  },
  {
    name: 'the copy of a comment lacks one sign',
    plant: (world, at) =>
      edit(world, at.copy('First thought.'), (body) => body.replace('First thought.', 'First thought')),
    lines: [/comment: comment 1 reads differently on GitHub/u],
  },
  {
    name: 'two copies are swapped',
    plant(world, at) {
      const [one, two] = [at.copy('First thought.'), at.copy('See the dump.')];
      const [first, second] = [bodyOf(world, one), bodyOf(world, two)];
      mona(world).editComment(repo, one, second);
      mona(world).editComment(repo, two, first);
    },
    lines: [
      /marker: comment 1 has the marker of a different item/u,
      /reference: comment 1 does not link to its original/u,
      /comment: comment 1 reads differently/u,
      /file: attachment 1 is not named by its comment/u,
      /marker: comment 5 has the marker of a different item/u,
      /reference: comment 5 does not link to its original/u,
      /comment: comment 5 does not show its file/u,
    ],
  },
  {
    name: 'the words of a comment stand in the place of another',
    plant: (world, at) =>
      edit(world, at.copy('See the dump.'), (body) => body.replace('See the dump.', 'First thought.')),
    lines: [/comment: comment 5 reads differently/u],
  },
  {
    name: 'a comment was edited on the tracker behind its back',
    plant: (world, at) => rewrite(world, at.bug, 'First thought', () => 'Another thought altogether.'),
    lines: [/comment: comment 1 reads differently/u],
  },
  {
    name: 'the description lacks a line',
    plant: (world, at) => editBody(world, at.issue, (body) => body.replace('- of 2 GB\n', '')),
    lines: [/description: description reads differently on GitHub/u],
  },
  {
    name: 'words became a heading that shows other words',
    plant: (world, at) => editBody(world, at.issue, (body) => body.replace('It fails', '# It failed')),
    lines: [/description: description reads differently on GitHub/u],
  },
  {
    name: 'markup swallows a sign',
    plant: (world, at) => editBody(world, at.issue, (body) => body.replace('\\*open\\*', '*open*')),
    lines: [/description: description reads differently on GitHub/u],
  },
  {
    name: 'a label is lost',
    plant: (world, at) => mona(world).unlabel(repo, at.issue, 'severity: major'),
    lines: [/label: label "severity: major" is missing on GitHub/u],
  },
  {
    name: 'a keyword is lost',
    plant: (world, at) => mona(world).unlabel(repo, at.issue, 'crash'),
    lines: [/label: label "crash" is missing on GitHub/u],
  },
  {
    name: 'there is a label too many',
    plant: (world, at) => mona(world).label(repo, at.issue, 'severity: trivial'),
    lines: [/label: label "severity: trivial" should not be on GitHub/u],
  },
  {
    name: 'there is a label of a status that the bug does not have',
    plant: (world, at) => mona(world).label(repo, at.issue, 'status: in progress'),
    lines: [/label: label "status: in progress" should not be on GitHub/u],
  },
  {
    name: 'a field of the organisation shows another value',
    route: fieldRoute,
    plant: (world, at) => mona(world).setField(repo, at.issue, 'Priority', 'Low'),
    lines: [/field: field Priority differs/u],
  },
  {
    name: 'a field of the organisation shows what is no value of the tracker',
    route: fieldRoute,
    plant: (world, at) => mona(world).setField(repo, at.issue, 'Priority', 'Urgent'),
    lines: [/field: field Priority differs/u],
  },
  {
    name: 'a field of the organisation is empty',
    route: fieldRoute,
    plant: (world, at) => mona(world).setField(repo, at.issue, 'Tags', null),
    lines: [/field: field Tags is missing on GitHub/u],
  },
  {
    name: "a field of the organisation has one option too many, beside one that is people's",
    route: fieldRoute,
    plant: (world, at) => mona(world).setField(repo, at.issue, 'Tags', ['crash', 'regression', 'team-a']),
    lines: [/field: field Tags differs/u],
  },
  {
    name: 'the type is another one',
    route: typedRoute,
    plant: (world, at) => mona(world).type(repo, at.issue, 'Low'),
    lines: [/type: type differs/u],
  },
  {
    name: 'the type stands for nothing that the tracker knows',
    route: typedRoute,
    plant: (world, at) => mona(world).type(repo, at.issue, 'Task'),
    lines: [/type: type differs/u],
  },
  {
    name: 'the type is lost',
    route: typedRoute,
    plant: (world, at) => mona(world).type(repo, at.issue, null),
    lines: [/type: type is missing on GitHub/u],
  },
  {
    name: 'a mirror for reading only is not locked',
    route: lockedRoute,
    plant: (world, at) => mona(world).lock(repo, at.issue, false),
    lines: [/lock: lock is missing on GitHub/u],
  },
  {
    name: 'a comment names another author',
    plant: (world, at) =>
      edit(world, at.copy('Second thought'), (body) => body.replace(/^\*\*[^*]+\*\*/u, '**Alice Anderson**')),
    lines: [/author: comment 2 names another author/u],
  },
  {
    name: 'the description names another author',
    plant: (world, at) => editBody(world, at.issue, (body) => body.replace(/^\*\*[^*]+\*\*/u, '**Bob**')),
    lines: [/author: description names another author/u],
  },
  {
    name: 'a copy does not say who wrote it',
    plant: (world, at) => edit(world, at.copy('First thought.'), (body) => body.replace(/^\*\*.*\n\n/u, '')),
    lines: [/author: comment 1 does not say on GitHub who wrote it/u],
  },
  {
    name: 'a comment has another date',
    plant: (world, at) => edit(world, at.copy('First thought.'), (body) => body.replace(/on \d{4}-/u, 'on 2019-')),
    lines: [/date: comment 1 has another date/u],
  },
  {
    name: 'the copy of a file is cut off',
    plant: (world, at) => attachmentStore(world)?.put([upload(dumpPath(at), dump.slice(0, 2_048))]),
    lines: [/file: attachment 1 is cut off in its copy/u],
  },
  {
    name: 'the copy of a file has another content of the same length',
    plant: (world, at) =>
      attachmentStore(world)?.put([
        upload(
          dumpPath(at),
          dump.map((byte, index) => (index === 1_500 ? byte ^ 1 : byte)),
        ),
      ]),
    lines: [/file: attachment 1 has different content in its copy/u],
  },
  {
    name: 'the copy of a file is missing',
    plant: (world, at) => attachmentStore(world)?.remove([dumpPath(at)]),
    lines: [/file: attachment 1 is missing on GitHub/u],
  },
  {
    name: 'the notice of a file leads to another file',
    plant: (world, at) => edit(world, at.copy('See the dump.'), (body) => body.replace('1-dump.bin', '2-other.bin')),
    lines: [/reference: attachment 1 has a link that leads elsewhere/u],
  },
  {
    name: 'a file became private, and its copy stands',
    plant: (world) => world.tracker.as('admin').changeAttachment(1, { is_private: true }),
    lines: [/private: attachment 1 is not public on the tracker, and its copy is on GitHub/u],
  },
  {
    name: 'a link leads to the wrong issue',
    plant: (world, at) =>
      edit(world, at.copy('Second thought'), (body) =>
        body.replace(`/issues/${at.otherIssue})`, `/issues/${at.opened})`),
      ),
    lines: [/reference: comment 2 "bug \d+" does not lead where it says/u],
  },
  {
    name: 'a link leads to the wrong comment',
    plant: (world, at) =>
      edit(world, at.copy('Second thought'), (body) =>
        body.replace(`issuecomment-${at.copy('First thought.')}`, `issuecomment-${at.copy('See the dump.')}`),
      ),
    lines: [/reference: comment 2 "comment 1" does not lead where it says/u],
  },
  {
    name: 'a link that nobody wrote',
    plant: (world, at) =>
      edit(world, at.copy('First thought.'), (body) =>
        body.replace('First thought', '[First](https://example.test/) thought'),
      ),
    lines: [/reference: comment 1 "First" leads where no one meant it to lead/u],
  },
  {
    name: 'a private comment is published',
    plant: (world, at) => bot(world).comment(repo, at.issue, privateCopy(world, at)),
    lines: [/private: comment \d+ on GitHub shows a comment that is private/u],
  },
  {
    name: 'a comment became private, and its copy stands',
    plant(world, at) {
      const [, first] = world.tracker.commentsOf(at.bug);
      world.tracker.as('admin').change(at.bug, { comment_is_private: { [first?.id ?? 0]: true } });
    },
    lines: [/private: comment 1 is private on the tracker, and its copy is on GitHub/u],
  },
  {
    name: 'a private bug is published',
    plant: (world, at) =>
      bot(world).open(repo, {
        title: 'Top secret',
        body: `**Alice** opened it\n\n<!-- bugferry:1 acme bug=${at.secret} -->`,
      }),
    lines: [/(?:double|private): #\d+ .*bug \d+/u],
  },
  {
    name: 'a bug became private, and its issue stands',
    plant: (world, at) => world.tracker.hide(at.other),
    lines: [/private: bug \d+ is private on the tracker, and bug \d+ is on GitHub/u, /.*/u],
  },
  {
    name: 'an address of a person is published',
    plant: (world, at) =>
      edit(world, at.copy('Second thought'), (body) =>
        body.replace('Second thought', 'Second thought by bob@example.test'),
      ),
    lines: [/private: comment 2 shows an e-mail address/u, /comment: comment 2 reads differently/u],
  },
  {
    name: 'a bug has two issues',
    plant: (world, at) =>
      bot(world).open(repo, { title: 'Crash on open', body: world.github.issue(repo, at.issue)?.body ?? '' }),
    lines: [/double: #\d+ is a surplus issue for bug \d+/u],
  },
  {
    name: 'an issue has two bugs',
    plant(world, at) {
      const [first] = world.tracker.commentsOf(at.filed);
      world.tracker.as('bridge-insider').file({ summary: 'From GitHub', description: first?.text ?? '' });
    },
    lines: [/double: bug \d+ is a second bug for issue \d+/u],
  },
  {
    name: 'an original is tagged and its copy is not minimized',
    plant: (world, at) => retagged(world, at, { minimized: null, tags: ['spam'] }),
    lines: [/minimize: comment 1 is not minimized as its original is tagged/u],
  },
  {
    name: 'a comment has two copies',
    plant: (world, at) => bot(world).comment(repo, at.issue, bodyOf(world, at.copy('First thought.'))),
    lines: [/double: comment \d+ on GitHub is a second copy/u],
  },
  {
    name: 'a comment of GitHub stands on the bug twice',
    plant(world, at) {
      const copy = world.tracker.commentsOf(at.filed).find(({ text }) => text.includes('something else'));
      world.tracker.as('bridge-insider').comment(at.filed, copy?.text ?? '');
    },
    lines: [/double: comment \d+ on GitHub is on the tracker more than once/u],
  },
  {
    name: 'an issue is open though its bug is closed',
    plant: (world, at) => mona(world).reopen(repo, world.store.links.byBug(at.closed as never)?.issue ?? 0),
    lines: [/state: state differs/u],
  },
  {
    name: 'an issue is closed though its bug is open',
    plant: (world, at) => mona(world).close(repo, at.issue),
    lines: [/state: state differs/u],
  },
  {
    name: 'an issue is closed for another reason',
    plant(world, at) {
      const issue = world.store.links.byBug(at.closed as never)?.issue ?? 0;
      mona(world).reopen(repo, issue);
      mona(world).close(repo, issue, 'not_planned');
    },
    lines: [/state: state is closed for another reason/u],
  },
  {
    name: 'a milestone is lost',
    plant: (world, at) => mona(world).milestone(repo, at.issue, null),
    lines: [/milestone: milestone is missing on GitHub/u],
  },
  {
    name: 'the milestone is another one',
    plant: (world, at) => mona(world).milestone(repo, at.issue, '2.0'),
    lines: [/milestone: milestone differs/u],
  },
  {
    name: 'nobody is assigned',
    plant: (world, at) => mona(world).unassign(repo, at.issue, 'mona'),
    lines: [/assignee: assignee is missing on GitHub/u],
  },
  {
    name: 'a dependency is missing',
    plant: (world, at) => mona(world).unblock(repo, at.issue, at.otherIssue),
    lines: [/dependency: dependency on bug \d+ is missing on GitHub/u],
  },
  {
    name: 'there is a dependency too many',
    plant: (world, at) => mona(world).block(repo, at.opened, at.otherIssue),
    lines: [/dependency: dependency on bug \d+ is on GitHub only/u],
  },
  {
    name: 'the title is cut',
    plant: (world, at) => mona(world).edit(repo, at.issue, { title: 'Crash on…' }),
    lines: [/title: title differs/u],
  },
  {
    name: 'a part of a long text is missing',
    plant: (world, at) => mona(world).deleteComment(repo, at.copy('The end of the story.')),
    lines: [/comment: comment 4 lacks a part on GitHub: 1 of 2/u],
  },
  {
    name: 'a part of a long text lacks its end',
    plant: (world, at) =>
      edit(world, at.copy('The end of the story.'), (body) => body.replace('The end of the story.', '')),
    lines: [/comment: comment 4 reads differently/u],
  },
  {
    name: 'a copy has the marker of another bug',
    plant: (world, at) =>
      edit(world, at.copy('First thought.'), (body) => body.replace(`bug=${at.bug} `, `bug=${at.other} `)),
    lines: [/marker: comment 1 has the marker of a different item/u],
  },
  {
    name: 'an issue has the marker of another bug',
    plant: (world, at) => editBody(world, at.issue, (body) => body.replace(`bug=${at.bug} `, `bug=${at.other} `)),
    lines: [/marker: description has the marker of a different item/u],
  },
  {
    name: 'a copy has lost its marker',
    plant: (world, at) => edit(world, at.copy('First thought.'), (body) => body.replace(/<!--.*-->/u, '')),
    lines: [/marker: comment 1 has no marker/u],
  },
  {
    name: 'an issue is gone',
    plant: (world, at) => mona(world).deleteIssue(repo, at.otherIssue),
    lines: [
      /counterpart: bug \d+ has an issue that does not exist/u,
      /dependency: dependency on bug \d+ is missing on GitHub/u,
    ],
  },
  {
    name: 'a bug is gone',
    plant: (world, at) => world.tracker.remove(at.closed),
    lines: [/counterpart: bug \d+ does not exist/u],
  },
  {
    name: 'a copy on the tracker is missing',
    plant: (world, at) => dropComment(world, at.filed, 'something else'),
    lines: [/comment: comment \d+ on GitHub is missing on the tracker/u],
  },
  {
    name: 'a copy on the tracker has other words',
    plant: (world, at) =>
      rewrite(world, at.filed, 'something else', (text) => text.replace('something else', 'nothing else')),
    lines: [/comment: comment \d+ on GitHub reads differently on the tracker/u],
  },
  {
    name: 'a copy on the tracker refers to another bug',
    plant: (world, at) =>
      rewrite(world, at.filed, 'something else', (text) => text.replace(`bug ${at.bug}`, `bug ${at.other}`)),
    lines: [/reference: comment \d+ on GitHub refers to a different bug/u],
  },
  {
    name: 'the bridge wrote a wrong author',
    plant(world, at) {
      world.github.as('hubot').comment(repo, at.opened, 'I am here, too.');
      rewrite(world, at.filed, 'something else', (text) => text.replace('GitHub user mona', 'GitHub user hubot'));
      const link = world.store.links.byIssue(repo, at.opened as never);
      for (const each of link === null ? [] : world.store.commentLinks.ofLink(link.id)) {
        if (each.origin === 'github' && each.part === 1 && each.source > 1)
          world.store.commentLinks.save({ ...each, author: { ...each.author, login: 'hubot' } });
      }
    },
    lines: [/author: comment \d+ on GitHub names another author/u, /comment: comment \d+ on GitHub is missing/u],
  },
  {
    name: 'a copy on the tracker names another author',
    plant: (world, at) =>
      rewrite(world, at.filed, 'something else', (text) => text.replace('GitHub user mona', 'GitHub user hubot')),
    lines: [/author: comment \d+ on GitHub names another author/u],
  },
  {
    name: 'a description on the tracker was cut',
    plant: (world, at) => rewrite(world, at.filed, 'fails here', (text) => text.replace(' fails here', '')),
    lines: [/description: body of the issue reads differently on the tracker/u],
  },
  {
    name: 'a bug does not name its issue',
    plant(world, at) {
      const bug = world.tracker.bug(at.bug);
      if (bug !== null) world.tracker.state.bugs.set(at.bug as never, { ...bug, see_also: [] });
    },
    lines: [/pointer: bug does not name its issue/u],
  },
  {
    name: 'an issue names another bug to its readers',
    plant: (world, at) => editBody(world, at.opened, (body) => body.replace(`id=${at.filed})`, `id=${at.other})`)),
    lines: [/reference: issue does not link to its bug/u],
  },
  {
    name: 'the table shows another value',
    plant: (world, at) =>
      editBody(world, at.issue, (body) => body.replace('https://example.test/crash', 'https://example.test/other')),
    lines: [/table: table shows another value/u],
  },
  {
    name: 'the table is missing',
    plant: (world, at) =>
      editBody(world, at.issue, (body) => body.replace(/<!-- bugferry:table -->[\s\S]*<\/details>\n\n/u, '')),
    lines: [/table: table shows another value/u, /table: table shows another value/u],
  },
];

function retagged(
  world: Stage,
  at: Places,
  { minimized, tags }: { minimized: string | null; tags: readonly string[] },
): void {
  mona(world).minimize(repo, at.copy('First thought.'), minimized);
  world.tracker.as('admin').tag(world.tracker.commentsOf(at.bug)[1]?.id ?? 0, { add: tags });
}

function privateCopy(world: Stage, at: Places): string {
  const secret = world.tracker.commentsOf(at.bug).find(({ isPrivate }) => isPrivate);
  return `**bob** wrote in [comment 3](${world.tracker.url}/show_bug.cgi?id=${at.bug}#c3) on 2026-01-05 08:00 UTC:\n\nNot for everybody\n\n<!-- bugferry:1 acme bug=${at.bug} comment=${secret?.id} -->`;
}

test('there are more than thirty kinds', () => {
  expect(damages.length).toBeGreaterThan(30);
});

test('without damage nothing differs', async () => {
  const report = await verified((await mirrored()).context);
  expect(linesOf(report)).toEqual([]);
  expect(report.pairs).toHaveLength(4);
});

test.each([typedRoute, fieldRoute, lockedRoute])(
  'without damage nothing differs on other routes either',
  async (route) => {
    expect(linesOf(await verified((await mirrored(route)).context))).toEqual([]);
  },
);

test.each<[string, Pick<LabelRule, 'as' | 'field'>]>([
  ['a label', { as: 'tag: {value}' }],
  ['a field', { as: '{value}', field: 'Tags' }],
])('an e-mail address in %s stands without its place there, and is no difference', async (_what, shown) => {
  const { world, context, at } = await mirrored({
    ...mirrorRoute,
    labels: [...mirrorRoute.labels, { from: 'whiteboard', both: true, ...shown }],
  });
  world.tracker.as('alice').change(at.bug, { whiteboard: '[bob@example.test]' });
  await untilQuiet(world, context);
  const { labels, fields } = world.github.issue(repo, at.issue) ?? {};
  expect([...(labels ?? []), ...(fields?.['Tags'] ?? [])].join()).toContain('bob@…');
  expect(linesOf(await verified(context))).toEqual([]);
});

test.each<[Route['direction'], readonly unknown[]]>([
  ['to-tracker', []],
  ['both', [expect.stringContaining('label "tag: a]b" should not be on GitHub')]],
])('a label that no whiteboard can hold, on a route %s', async (direction, wanted) => {
  const tagged: Route = {
    ...mirrorRoute,
    direction,
    labels: [...mirrorRoute.labels, { from: 'whiteboard', as: 'tag: {value}', both: true }],
  };
  const { world, context, at } = await mirrored(tagged);
  mona(world).label(repo, at.opened, 'tag: easy');
  await untilQuiet(world, context);
  mona(world).label(repo, at.opened, 'tag: a]b');
  expect(linesOf(await verified(context))).toEqual(wanted);
});

test('a copy that people on GitHub minimized by hand is left out, and no difference', async () => {
  const { world, context, at } = await mirrored();
  retagged(world, at, { minimized: 'spam', tags: [] });
  const report = await verified(context);
  expect(linesOf(report)).toEqual([]);
  expect(report.pairs.flatMap(({ leftOut }) => leftOut).map(({ why }) => why)).toContainEqual(
    expect.stringContaining('by hand'),
  );
});

test('an option that the organisation does not have is left out, and options of people are no difference', async () => {
  const { world, context, at } = await mirrored(fieldRoute);
  world.tracker.as('alice').change(at.bug, { priority: 'Lowest' });
  mona(world).setField(repo, at.issue, 'Tags', ['crash', 'team-a']);
  await untilQuiet(world, context);
  const report = await verified(context);
  expect(world.github.issue(repo, at.issue)?.fields).toEqual({ Tags: ['crash', 'team-a'] });
  expect(linesOf(report)).toEqual([]);
  expect(report.pairs.flatMap(({ leftOut }) => leftOut).map(({ about }) => about)).toContain('field Priority');
});

test('what people choose where no option is the right one is taken off, and then no difference', async () => {
  const { world, context, at } = await mirrored(fieldRoute);
  world.tracker.as('alice').change(at.bug, { priority: 'Lowest' });
  await untilQuiet(world, context);
  mona(world).setField(repo, at.issue, 'Priority', 'Urgent');
  await untilQuiet(world, context);
  expect(world.github.issue(repo, at.issue)?.fields['Priority']).toBeUndefined();
  expect(linesOf(await verified(context))).toEqual([]);
});

test('a type that the organisation does not have is left out, and a difference only while another one stands', async () => {
  const { world, context, at } = await mirrored(typedRoute);
  const bug = world.tracker.as('alice').file({ summary: 'It hums', description: 'At night.', priority: 'Lowest' });
  await untilQuiet(world, context);
  const report = await verified(context);
  expect(linesOf(report)).toEqual([]);
  const left = report.pairs.flatMap(({ leftOut, ...pair }) => (pair.bug === bug ? leftOut : []));
  expect(left.map(({ about }) => about)).toContain('type');
  world.tracker.as('alice').change(at.bug, { priority: 'Lowest' });
  await untilQuiet(world, context);
  expect(world.github.issue(repo, at.issue)?.type).toBe('High');
  expect(linesOf(await verified(context))).toEqual([expect.stringContaining('type: type differs')]);
});

test.each(some(damages, 6))('found and named: $name', async ({ plant, route, lines }) => {
  const { world, context, at }: Mirror = await mirrored(route);
  world.clock.advance(61_000);
  await plant(world, at);
  const found = linesOf(await verified(context));
  for (const line of found)
    expect(
      lines.some((pattern) => pattern.test(line)),
      line,
    ).toBe(true);
  for (const pattern of lines) expect(found.join('\n')).toMatch(pattern);
});

test.each<readonly [string, Damage['plant']]>([
  ['a bug', (world, at) => world.tracker.hide(at.other)],
  [
    'a comment',
    (world, at) =>
      world.tracker
        .as('admin')
        .change(at.bug, { comment_is_private: { [world.tracker.commentsOf(at.bug)[1]?.id ?? 0]: true } }),
  ],
  ['a file', (world) => world.tracker.as('admin').changeAttachment(1, { is_private: true })],
])('%s that became private and was withdrawn by the bridge is no difference', async (_name, plant) => {
  const { world, context, at } = await mirrored();
  world.clock.advance(61_000);
  await plant(world, at);
  await untilQuiet(world, context);
  expect(linesOf(await verified(context))).toEqual([]);
});

test('a person who took another login is left out, and no difference', async () => {
  const { world, context } = await mirrored();
  world.github.renameUser('mona', 'mona-lisa');
  const report = await verified(context);
  expect(linesOf(report).filter((line) => line.includes('author'))).toEqual([]);
  expect(report.pairs.flatMap(({ leftOut }) => leftOut).map(({ why }) => why)).toContain(
    'its author was called mona on GitHub when it crossed',
  );
});

test('damage that the bridge itself puts right is found no more', async () => {
  const { world, context, at } = await mirrored();
  mona(world).unlabel(repo, at.issue, 'component: Core');
  expect(linesOf(await verified(context))).toHaveLength(1);
  await untilQuiet(world, context);
  expect(linesOf(await verified(context))).toEqual([]);
});

test.each([mirrorRoute, lockedRoute])(
  'a second issue of a bug is found also after the bridge has seen it ($direction)',
  async (route) => {
    const { world, context, at } = await mirrored(route);
    bot(world).open(repo, { title: 'Crash on open', body: world.github.issue(repo, at.issue)?.body ?? '' });
    await untilQuiet(world, context);
    expect(linesOf(await verified(context)).join()).toMatch(/double: #\d+ is a surplus issue for bug \d+/u);
  },
);
