import type { Random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';
import { assignmentActions } from './assignments.ts';
import { type FileActions, fileActions, noFileActions } from './attachments.ts';
import { labelActions } from './labels.ts';
import { noRenewalActions, type RenewalActions, renewalActions } from './renewals.ts';

/** What people did that must not be lost. Every text is unique, so that it can be looked for. */
export interface Actions {
  /** The last title that people gave, per bug and per issue. */
  readonly bugTitles: Map<number, string>;
  readonly issueTitles: Map<number, string>;
  /** Titles of issues that we overwrote before GitHub showed them to us: it has no conditional write (docs/gaps.md). */
  readonly unseenTitles: Set<string>;
  /**
   * Issues that GitHub said it does not have, as a replica was behind. One in doubt may then be made again
   * (docs/gaps.md).
   */
  readonly unseenIssues: Set<number>;
  /** Texts of comments that stand, and where: they must have exactly one copy. */
  readonly bugComments: Map<string, number>;
  readonly issueComments: Map<string, { readonly issue: number; readonly id: number }>;
  /** The end of a text that is too long for one comment, by its beginning. */
  readonly tails: Map<string, string>;
  /** Comments that were deleted on GitHub by people: source or copy. */
  readonly deletedIssues: Set<number>;
  /** Markers of copies that were deleted, and on which issue. */
  readonly buried: Map<string, number>;
  /** Texts that must never be seen on GitHub. */
  readonly secrets: Set<string>;
  /** Bugs that were private at some time: what is said on them afterwards stays. */
  readonly hidden: Set<number>;
  readonly files: FileActions;
  readonly renewals: RenewalActions;
  readonly filed: Set<number>;
  readonly opened: Set<number>;
}

export const noActions = (): Actions => ({
  bugTitles: new Map(),
  issueTitles: new Map(),
  unseenTitles: new Set(),
  unseenIssues: new Set(),
  bugComments: new Map(),
  issueComments: new Map(),
  tails: new Map(),
  deletedIssues: new Set(),
  buried: new Map(),
  secrets: new Set(),
  hidden: new Set(),
  files: noFileActions(),
  renewals: noRenewalActions(),
  filed: new Set(),
  opened: new Set(),
});

export interface People {
  /** Files the first bug, so that there is something to talk about. */
  begin(): void;
  act(): void;
}

/** People edit at random on both sides. What the rules of a side forbid them is simply not done. */
/** @param more what else they do */
export function people(
  stage: Stage,
  random: Random,
  actions: Actions,
  more: { readonly files?: boolean; readonly labels?: boolean } = {},
): People {
  let serial = 0;
  const text = (what: string) => {
    serial += 1;
    return `${what} no ${serial}.`;
  };
  const allActions = [
    ...trackerActions(stage, random, actions, text),
    ...githubActions(stage, random, actions, text),
    ...assignmentActions(stage, random),
    ...renewalActions(stage, random, actions, text),
    ...(more.labels ? labelActions(stage, random) : []),
    ...(more.files ? fileActions(stage, random, actions, text) : []),
  ];
  const all = allActions.flatMap(({ weight, act }) => Array.from({ length: weight }, () => act));
  const [first] = allActions;
  return {
    begin: () => first?.act(),
    act() {
      try {
        random.pick(all)();
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    },
  };
}

export interface Action {
  readonly weight: number;
  readonly act: () => void;
}

export type Text = (what: string) => string;

function trackerActions(stage: Stage, random: Random, actions: Actions, text: Text): readonly Action[] {
  const { tracker } = stage;
  const alice = tracker.as('alice');
  // Nothing on a bug is older than the bug.
  const late = (bug?: { readonly createdAt: number }) =>
    bug === undefined || stage.clock.now() - bug.createdAt > 5_000 ? { stampedMsAgo: random.below(1_800) } : {};
  const someBug = () => random.pick(tracker.bugs().filter(({ product }) => product === 'Widget'));
  let last = { id: 0, at: 0 };
  const isPublic = (id: number) => !actions.hidden.has(id);
  return [
    {
      weight: 2,
      act() {
        const title = text('Filed');
        const id = alice.file({ summary: title, description: text('Description'), ...late() });
        actions.filed.add(id);
        actions.bugTitles.set(id, title);
      },
    },
    {
      weight: 1,
      act() {
        const [summary, description] = [text('Secret bug'), text('Secret description')];
        const id = alice.file({ summary, description, groups: ['security'] });
        actions.hidden.add(id);
        for (const secret of [summary, description]) actions.secrets.add(secret);
      },
    },
    {
      weight: 6,
      act() {
        const bug = someBug();
        const { id } = bug;
        const said = text('Said on the tracker');
        const tail = random.chance(0.06) ? text('The end') : null;
        const words = random.chance(0.3) ? `${said} See bug ${someBug().id}, or comment ${random.below(3)}.` : said;
        alice.comment(id, tail === null ? words : long(words, tail), { ...late(bug), isMarkdown: id % 2 === 0 });
        if (tail !== null) actions.tails.set(said, tail);
        if (tail !== null) isPublic(id) ? actions.bugComments.set(tail, id) : actions.secrets.add(tail);
        last = { id, at: stage.clock.now() };
        if (isPublic(id)) actions.bugComments.set(said, id);
        else actions.secrets.add(said);
      },
    },
    {
      // Somebody answers within the same second, and it shows up a little later.
      weight: 6,
      act() {
        const msAgo = stage.clock.now() - last.at;
        if (last.id === 0 || msAgo > 1_800) return;
        const said = text('Answered at once');
        alice.comment(last.id, said, { stampedMsAgo: msAgo });
        if (isPublic(last.id)) actions.bugComments.set(said, last.id);
        else actions.secrets.add(said);
      },
    },
    {
      weight: 1,
      act() {
        const said = text('Secretly said');
        alice.comment(someBug().id, said, { isPrivate: true });
        actions.secrets.add(said);
      },
    },
    {
      weight: 4,
      act() {
        const bug = someBug();
        const { id } = bug;
        const title = text('Tracker title');
        alice.change(id, { summary: title, ...late(bug) });
        if (isPublic(id)) actions.bugTitles.set(id, title);
        else actions.secrets.add(title);
      },
    },
    { weight: 4, act: () => alice.change(someBug().id, { ...random.pick(statuses) }) },
    { weight: 1, act: () => alice.change(someBug().id, { dupe_of: someBug().id }) },
    {
      weight: 2,
      act() {
        const bug = someBug();
        const address = `https://example.test/${text('').replaceAll(/\D/gu, '')}/`;
        alice.change(bug.id, { url: random.chance(0.2) ? '' : address });
        if (!isPublic(bug.id)) actions.secrets.add(address);
      },
    },
    {
      weight: 1,
      act: () =>
        alice.change(someBug().id, {
          cc: { [random.pick(['add', 'remove'])]: [random.pick(['bob@example.test', 'alice@example.test'])] },
        }),
    },
    {
      weight: 3,
      act: () =>
        alice.change(someBug().id, { depends_on: { [random.pick(['add', 'add', 'remove'])]: [someBug().id] } }),
    },
    { weight: 2, act: () => alice.change(someBug().id, { severity: random.pick(['major', 'minor', 'critical']) }) },
    {
      weight: 2,
      act: () =>
        alice.change(someBug().id, {
          keywords: { [random.pick(['add', 'remove'])]: [random.pick(['crash', 'regression'])] },
        }),
    },
  ];
}

/** A text that takes two comments on either side. */
const long = (first: string, last: string): string => `${first}\n\n${'A line of a log.\n'.repeat(3_700)}\n${last}`;

const statuses = [
  { status: 'RESOLVED', resolution: 'FIXED' },
  { status: 'RESOLVED', resolution: 'WONTFIX' },
  { status: 'CONFIRMED' },
  { status: 'IN_PROGRESS' },
  { status: 'VERIFIED' },
  { status: 'UNCONFIRMED' },
];

/** Null is how issues were closed before reasons existed. */
const closings = ['completed', 'not_planned', null] as const;

function githubActions(stage: Stage, random: Random, actions: Actions, text: Text): readonly Action[] {
  const { github } = stage;
  const mona = github.as('mona');
  const someIssue = () => random.pick(github.issues(repo)).number;
  const some = (act: (issue: number) => void) => () => {
    if (github.issues(repo).length > 0) act(someIssue());
  };
  return [
    {
      weight: 2,
      act() {
        const title = text('Opened');
        const number = mona.open(repo, { title, body: text('Body') });
        actions.opened.add(number);
        actions.issueTitles.set(number, title);
      },
    },
    {
      weight: 6,
      act: some((issue) => {
        const said = text('Said on GitHub');
        const tail = random.chance(0.06) ? text('The end') : null;
        const words = random.chance(0.3) ? `${said} See #${someIssue()}.` : said;
        const id = mona.comment(repo, issue, tail === null ? words : long(words, tail));
        actions.issueComments.set(said, { issue, id });
        if (tail !== null) actions.issueComments.set(tail, { issue, id });
      }),
    },
    {
      weight: 4,
      act: some((issue) => {
        const title = text('GitHub title');
        mona.edit(repo, issue, { title });
        actions.issueTitles.set(issue, title);
      }),
    },
    {
      weight: 2,
      act: some((issue) =>
        mona.close(
          repo,
          issue,
          random.pick(github.issue(repo, issue)?.state === 'open' ? closings : ['completed', 'not_planned']),
        ),
      ),
    },
    { weight: 2, act: some((issue) => mona.reopen(repo, issue)) },
    { weight: 2, act: some((issue) => mona.block(repo, issue, someIssue())) },
    { weight: 1, act: some((issue) => mona.unblock(repo, issue, someIssue())) },
    {
      weight: 1,
      act: some((issue) =>
        mona.label(
          repo,
          issue,
          random.pick(['crash', 'Regression', 'severity: trivial', 'help wanted', 'status: in progress']),
        ),
      ),
    },
    {
      weight: 1,
      act: some((issue) =>
        mona.unlabel(repo, issue, random.pick(['crash', 'regression', 'severity: normal', 'component: Core'])),
      ),
    },
    {
      weight: 2,
      act() {
        const mine = [...actions.issueComments.entries()];
        if (mine.length === 0) return;
        const [, { issue, id }] = random.pick(mine);
        const said = text('Edited on GitHub');
        mona.editComment(repo, id, said);
        for (const [other, comment] of actions.issueComments)
          if (comment.id === id) actions.issueComments.delete(other);
        actions.issueComments.set(said, { issue, id });
      },
    },
    {
      weight: 1,
      act: some((issue) => {
        const comment = random.pick(github.commentsOf(repo, issue).concat());
        if (comment === undefined) return;
        mona.deleteComment(repo, comment.id);
        for (const [said, { id }] of actions.issueComments) if (id === comment.id) actions.issueComments.delete(said);
        actions.renewals.deleted.set(`https://github.com/${repo}/issues/${issue}#issuecomment-${comment.id}`, issue);
        for (const said of actions.bugComments.keys()) {
          if (!comment.body.includes(said)) continue;
          actions.bugComments.delete(said);
          // Without its beginning, the rest of a text is no longer wanted; some of it may stand there.
          actions.bugComments.delete(actions.tails.get(said) ?? '');
          actions.buried.set(comment.body.slice(comment.body.lastIndexOf('<!--')), issue);
        }
      }),
    },
    {
      weight: 1,
      act: some((issue) => {
        if (!random.chance(0.3)) return;
        mona.deleteIssue(repo, issue);
        actions.deletedIssues.add(issue);
      }),
    },
  ];
}

/** Both sandboxes refuse with an error of their own class; anything else is a fault of theirs. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && ['TrackerError', 'Refusal'].includes(error.constructor.name);
}
