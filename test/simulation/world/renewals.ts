import type { Link } from '../../../src/model/link.ts';
import type { Direction, Route } from '../../../src/model/route.ts';
import type { Random } from '../../support/random.ts';
import { commentsOfOurs, repo, type Stage } from '../stage.ts';
import type { Action, Actions, Text } from './people.ts';

/** What routes say about copies; each simulation has one of each. */
export const policiesOf = (seed: number): Pick<Route, 'copies' | 'deletions'> => ({
  copies: seed % 2 === 0 ? 'restore' : 'leave',
  deletions: seed % 4 < 2 ? 'note' : 'nothing',
});

/** What people did to copies, and to what copies were made from. */
export interface RenewalActions {
  /** What people wrote over our copies, by the comment's id on GitHub. */
  readonly defaced: Map<number, string>;
  /** What of that we overwrote before GitHub showed it to us: it has no conditional write (docs/gaps.md). */
  readonly unseen: Set<string>;
  /** What the comments of the tracker say that were edited there, by their ids. */
  readonly reworded: Map<number, { readonly bug: number; readonly said: string }>;
  /** The last name that a file was given, by its id. */
  readonly renamed: Map<number, string>;
  /** Comments of people that were deleted on GitHub, by their addresses. */
  readonly deleted: Map<string, number>;
}

export const noRenewalActions = (): RenewalActions => ({
  ...{ defaced: new Map(), unseen: new Set(), reworded: new Map() },
  ...{ renamed: new Map(), deleted: new Map() },
});

export function renewalActions(stage: Stage, random: Random, actions: Actions, text: Text): readonly Action[] {
  const { tracker, github } = stage;
  const mona = github.as('mona');
  return [
    {
      weight: 2,
      act() {
        const copies = github.issues(repo).flatMap(({ number }) => github.commentsOf(repo, number));
        const ours = copies.filter(({ author, body }) => author === 'bugferry-bot' && / comment=\d+ -->$/u.test(body));
        if (ours.length === 0) return;
        const { id, body, createdAt } = random.pick(ours);
        const words = text('Defaced');
        // Nobody reads a copy and writes over it within the second in which it was made; its stamps would not show it.
        if (stage.clock.now() - createdAt < 2_000) return;
        mona.editComment(repo, id, words);
        actions.renewals.defaced.set(id, words);
        for (const said of actions.bugComments.keys()) if (body.includes(said)) actions.bugComments.delete(said);
      },
    },
    {
      weight: 2,
      act() {
        const status = [...actions.bugComments].filter(
          ([said]) => said.startsWith('Said on the tracker') && !actions.tails.has(said),
        );
        if (status.length === 0) return;
        const [said, bug] = random.pick(status);
        const comment = tracker.commentsOf(bug).find((each) => each.text.startsWith(said));
        if (comment === undefined) return;
        const words = text('Reworded');
        tracker.editComment(comment.id, words);
        actions.renewals.reworded.set(comment.id, { bug, said: words });
        actions.bugComments.delete(said);
      },
    },
    {
      weight: 3,
      act() {
        const files = [...actions.files.attached.values()];
        if (files.length === 0) return;
        const { id } = random.pick(files);
        const name = `renamed-${text('').replaceAll(/\D/gu, '')}.bin`;
        tracker.as('bridge-insider').changeAttachment(id, { file_name: name, is_obsolete: random.chance(0.5) });
        actions.renewals.renamed.set(id, name);
      },
    },
  ];
}

/** Few trackers tell that a comment was edited: whoever wants to know reads the thread from its beginning. */
export function readEdited({ store }: Stage, actions: Actions, links: readonly Link[]): void {
  const bugs = new Set([...actions.renewals.reworded.values()].map(({ bug }) => bug));
  for (const link of links.filter(({ bug }) => bug !== null && bugs.has(bug))) {
    if (link.state === 'live' && link.threadReadAt !== null)
      store.links.save({ ...link, threadReadAt: null, urgency: 'live' });
  }
}

/** I1 for copies: in the end each says what it should, unless it was left as somebody made it. */
export function renewalViolations(
  stage: Stage,
  actions: Actions,
  links: readonly Link[],
  direction: Direction,
  seed: number,
): readonly string[] {
  if (direction === 'to-tracker') return [];
  const { copies } = policiesOf(seed);
  const live = links.filter(({ state, bug, issue }) => state === 'live' && bug !== null && issue !== null);
  const found: string[] = [];
  for (const link of live) {
    if (actions.hidden.has(link.bug ?? 0)) continue;
    for (const { id, body } of commentsOfOurs(stage.github, link.issue ?? 0)) {
      const [defaced, place] = [actions.renewals.defaced.get(id), `comment ${id} on issue ${link.issue}`];
      if (defaced !== undefined && copies === 'leave' && body !== defaced && !actions.renewals.unseen.has(defaced))
        found.push(`I3: ${place} is left, and was written over: ${body}`);
      const source = stage.store.commentLinks
        .ofLink(link.id)
        .find(({ copy, origin }) => copy?.id === id && origin === 'tracker')?.source;
      const file = [...actions.files.hidden.values()].find((each) =>
        stage.tracker.state.comments
          .get(link.bug ?? 0)
          ?.some((said) => said.id === source && said.attachment === each.id),
      );
      if (
        defaced !== undefined &&
        copies === 'restore' &&
        body === defaced &&
        file === undefined &&
        !hasDoubt(stage, link)
      )
        found.push(`I1: ${place} is still "${body}"`);
      if (!body.includes('<!-- bugferry:1 acme bug=')) continue;
      found.push(...outdated(stage, actions, live, link, body).map((what) => `I1: ${place} says ${what}`));
    }
  }
  return [...found, ...edited(stage, actions, live, copies), ...recorded(stage, actions, live, direction, seed)];
}

const hasDoubt = (stage: Stage, link: Link): boolean =>
  stage.store.ledger.ofLink(link.id).some(({ kind }) => kind === 'settle');

/** What a copy still says although it can be said better by now. */
function outdated(stage: Stage, actions: Actions, live: readonly Link[], own: Link, body: string): readonly string[] {
  const found: string[] = [];
  const [, word, comment] = /See (?:\[)?bug (\d+)(?:\]\([^)]*\))?, or (?:\[)?comment (\d+)/u.exec(body) ?? [];
  const target = live.find(({ bug }) => bug === Number(word));
  if (
    target !== undefined &&
    !actions.hidden.has(Number(word)) &&
    !body.includes(`[bug ${word}](https://github.com/acme/widget/issues/${target.issue})`)
  )
    found.push(`bug ${word} without its issue ${target.issue}`);
  const commentLink = stage.store.commentLinks
    .ofLink(own.id)
    .find(({ count, part }) => count === Number(comment) && part === 1);
  const isThere = commentLink?.copy !== null && commentLink?.state === 'mirrored' && comment !== undefined;
  if (isThere && !new RegExp(`\\[comment ${comment}\\]\\(https://github.com/`, 'u').test(body))
    found.push(`comment ${comment} without its copy`);
  const file = /^Attachment (\d+), \[([^\]]*)\]/mu.exec(body);
  const name = actions.renewals.renamed.get(Number(file?.[1]));
  if (name !== undefined && file !== null && file[2] !== name)
    found.push(`attachment ${file[1]} is "${file[2]}", and is "${name}"`);
  const isObsolete = stage.tracker.state.attachments.get(Number(file?.[1]))?.isObsolete ?? false;
  if (file !== null && / bytes?, obsolete/u.test(body) !== isObsolete)
    found.push(`whether attachment ${file[1]} is obsolete is not told`);
  return found;
}

/**
 * GitHub shows the newest text of a comment that was edited on the tracker, unless people deleted or changed the copy.
 */
function edited(stage: Stage, actions: Actions, live: readonly Link[], copies: Route['copies']): readonly string[] {
  return [...actions.renewals.reworded].flatMap(([id, { bug, said }]) => {
    const link = live.find((each) => each.bug === bug);
    const commentLink =
      link &&
      stage.store.commentLinks
        .ofLink(link.id)
        .find(({ source, origin, part }) => source === id && origin === 'tracker' && part === 1);
    if (link === undefined || actions.hidden.has(bug) || commentLink?.state !== 'mirrored') return [];
    const copy = stage.github.commentsOf(repo, link.issue ?? 0).find((each) => each.id === commentLink.copy?.id);
    const isLeft =
      copies === 'leave' && (actions.renewals.defaced.has(commentLink.copy?.id ?? 0) || hasDoubt(stage, link));
    return copy === undefined || isLeft || copy.body.includes(said)
      ? []
      : [`I3: "${said}" on bug ${bug} is not on GitHub: ${copy.body}`];
  });
}

/**
 * A comment that was deleted on GitHub is noted on the bug that has its copy: once, or never where the route is silent.
 */
function recorded(
  stage: Stage,
  actions: Actions,
  live: readonly Link[],
  direction: Direction,
  seed: number,
): readonly string[] {
  const texts = stage.tracker
    .bugs()
    .flatMap(({ id }) => stage.tracker.commentsOf(id))
    .flatMap(({ creator, text }) => (creator.startsWith('bridge') ? [text] : []));
  return [...actions.renewals.deleted].flatMap(([url, issue]) => {
    const link = live.find((each) => each.issue === issue);
    const reports = texts.filter((text) => text.includes(`was deleted on GitHub (${url})`)).length;
    const isCopied = texts.some((text) => text.includes(` wrote (${url}`));
    const wanted = policiesOf(seed).deletions === 'note' && direction !== 'to-github' && isCopied ? 1 : 0;
    if (reports > wanted) return [`I4: the deletion of ${url} is noted ${reports} times`];
    return reports < wanted && link !== undefined && !hasDoubt(stage, link)
      ? [`I3: the deletion of ${url} is not noted`]
      : [];
  });
}
