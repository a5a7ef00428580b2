import type { IssueView } from '../../src/sandbox/github/world/oracle-view.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type Actions, addressOf } from './actions.ts';
import { saysMoved } from './github-people.ts';
import type { Keys, Routed } from './keys.ts';
import { bugsOf, commentsOf, type LiveBug, type LiveComment, openLiveTracker } from './tracker.ts';

export interface Judged {
  readonly url: string;
  readonly keys: Keys;
  readonly github: GithubWorld;
  readonly routed: readonly Routed[];
  readonly actions: Actions;
}

interface Placed extends IssueView {
  readonly repo: string;
  /** The addresses that it has and had. */
  readonly addresses: readonly string[];
}

export interface Pair {
  readonly bug: LiveBug;
  readonly issue: Placed;
  readonly comments: readonly LiveComment[];
  readonly copies: readonly string[];
}

/**
 * Compares both sides completely, by what they show, and never asks the bridge. Content is public if an anonymous
 * reader sees it.
 * @returns a line for each thing that is wrong
 */
export async function violations(judged: Judged): Promise<readonly string[]> {
  const { keys, github, routed, actions } = judged;
  const { found: unpaired, pairs, issues } = await pairsIn(judged);
  const found = [...unpaired];
  const left = issues.flatMap((issue) => {
    const bug = Number(/ bug=(\d+) moved -->\s*$/u.exec(issue.body)?.[1] ?? Number.NaN);
    return Number.isNaN(bug) ? [] : [{ bug, addresses: issue.addresses }];
  });
  for (const address of actions.opened) {
    const isMirrored = [...pairs.map(({ issue }) => issue), ...left].some((each) => each.addresses.includes(address));
    const body = issues.find(({ addresses }) => addresses.includes(address))?.body ?? '';
    const wasHidden = [...actions.onceHidden].some((bug) => body.includes(`bug=${bug} -->`));
    if (!isMirrored && !wasHidden && !actions.letGo.has(address)) found.push(`issue ${address} has no bug`);
  }
  for (const pair of pairs) {
    const places = [pair.issue, ...left.filter(({ bug }) => bug === pair.bug.id)].flatMap(({ addresses }) => addresses);
    found.push(...agreement(pair, actions, places), ...copiesOf(pair, keys), ...order(pair, actions));
  }
  const repos = routed.map(({ repo }) => repo);
  return [...found, ...said(pairs, actions), ...files(github, repos, actions), ...secrets(github, repos, actions)];
}

/** Who belongs to whom, by what both sides show, and what is wrong with that. */
export async function pairsIn({ url, github, routed, actions }: Judged) {
  const anonymous = openLiveTracker(url, null);
  const issues = routed.flatMap(({ repo }) =>
    github
      .issues(repo)
      .filter(({ isPull, number }) => !isPull && !actions.letGo.has(addressOf(repo, number)))
      .map((issue): Placed => ({ ...issue, repo, addresses: addressesOf(actions, addressOf(repo, issue.number)) })),
  );
  const found: string[] = [];
  const pairs: Pair[] = [];
  for (const { product, repo } of routed)
    for (const bug of await bugsOf(anonymous, product)) {
      const comments = await commentsOf(anonymous, bug.id);
      const mine = issues.filter((issue) => isOf(issue, bug, comments));
      if (mine.length !== 1)
        found.push(`bug ${bug.id} has ${mine.length} issues: ${mine.map(({ number }) => number).join(', ')}`);
      const [issue] = mine;
      if (issue === undefined) continue;
      if (issue.repo !== repo && issue.addresses.length < 2)
        found.push(`bug ${bug.id} of ${product} goes on in ${addressOf(issue.repo, issue.number)}`);
      pairs.push({ bug, issue, comments, copies: github.commentsOf(issue.repo, issue.number).map(({ body }) => body) });
    }
  return { found, pairs, issues };
}

function addressesOf({ transferred }: Pick<Actions, 'transferred'>, address: string): readonly string[] {
  const from = [...transferred].flatMap(([old, now]) => (now === address ? addressesOf({ transferred }, old) : []));
  return [address, ...from];
}

/** One that the bridge opened ends with its marker; the bug of one that people opened begins with its address. */
function isOf({ addresses, body, author }: Placed, { id }: LiveBug, [description]: readonly LiveComment[]): boolean {
  if (saysMoved(body)) return false;
  const isFromBug = author === 'bugferry-bot' && body.trimEnd().endsWith(` bug=${id} -->`);
  return isFromBug || addresses.some((each) => (description?.text ?? '').includes(`(https://github.com/${each}):`));
}

const spaced = (title: string): string => title.replace(/\[U\+[0-9A-F]+\]|\p{Extended_Pictographic}|\s+/gu, ' ').trim();

function agreement(
  { bug, issue }: Pair,
  { bugTitles, issueTitles }: Actions,
  places: readonly string[],
): readonly string[] {
  const found: string[] = [];
  const say = (what: string, here: unknown, there: unknown) => {
    found.push(`${what} of bug ${bug.id} and issue ${issue.number} differ: ${String(here)} / ${String(there)}`);
  };
  if (spaced(bug.summary).slice(0, 200) !== spaced(issue.title).slice(0, 200)) say('titles', bug.summary, issue.title);
  const given = [bugTitles.get(bug.id), ...places.map((each) => issueTitles.get(each))].filter(
    (title) => title !== undefined,
  );
  if (given.length > 0 && !given.some((title) => spaced(title) === spaced(bug.summary)))
    found.push(
      `bug ${bug.id} is called "${bug.summary}", and people called it ${given.map((title) => `"${title}"`).join(' or ')}`,
    );
  const isClosed = bug.resolution !== '';
  if (isClosed !== (issue.state === 'closed')) say('states', `${bug.status} ${bug.resolution}`, issue.state);
  const reason = { FIXED: 'completed', DUPLICATE: 'duplicate' }[bug.resolution] ?? 'not_planned';
  if (isClosed && issue.state === 'closed' && issue.stateReason !== reason)
    say('reasons', bug.resolution, issue.stateReason);
  const severities = issue.labels.filter((label) => label.startsWith('severity: '));
  if (severities.join() !== `severity: ${bug.severity}`) say('severities', bug.severity, severities);
  return found;
}

/** What the tracker writes by itself about duplicates, and comments without words, are not copied. */
const isSilent = ({ text }: LiveComment): boolean => text.trim() === '' || /^\*\*\* .* \*\*\*$/u.test(text.trim());

/** Every comment of people has one copy with its number; what is written in parts has one with its first part. */
function copiesOf({ bug, comments, copies }: Pair, { bridge }: Keys): readonly string[] {
  return comments.slice(1).flatMap((comment) => {
    if (comment.creator === bridge.login || isSilent(comment)) return [];
    const mark = new RegExp(` bug=${bug.id} comment=${comment.id}(?: part=1/\\d+)? -->\\s*$`, 'u');
    const count = copies.filter((body) => mark.test(body)).length;
    return count === 1 ? [] : [`comment ${comment.count} of bug ${bug.id} has ${count} copies`];
  });
}

/**
 * Copies are in the order of their originals. A copy that came back from a withdrawal is behind comments written
 * meanwhile.
 */
function order({ bug, issue, comments, copies }: Pair, { onceHidden }: Actions): readonly string[] {
  if (onceHidden.has(bug.id)) return [];
  const wanted = comments.map(({ id }) => id);
  const copied = copies.flatMap((body) =>
    Number(/ comment=(\d+)(?: part=1\/\d+)? -->\s*$/u.exec(body)?.[1] ?? Number.NaN),
  );
  const places = copied.map((id) => wanted.indexOf(id)).filter((place) => place >= 0);
  const isInOrder = places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1));
  return isInOrder
    ? []
    : [`the comments of bug ${bug.id} stand on issue ${issue.number} in the order ${places.join(', ')}`];
}

/** Each text that a person wrote on one side is exactly once on the other. */
function said(pairs: readonly Pair[], { bugComments, issueComments, onceHidden }: Actions): readonly string[] {
  const found: string[] = [];
  const check = (text: string, where: string, copies: readonly string[]) => {
    const count = copies.filter((copy) => copy.includes(text)).length;
    if (count !== 1) found.push(`"${text}" of ${where} has ${count} copies`);
  };
  for (const { bug, copies } of pairs)
    for (const [text, id] of bugComments) if (id === bug.id) check(text, `bug ${bug.id}`, copies);
  const texts = pairs.flatMap(({ comments }) =>
    comments.map(({ text }) => text.replace(/\[-[\s\S]*?-\]/gu, '').replace(/\{\+|\+\}/gu, '')),
  );
  for (const [text, { repo, issue }] of issueComments) {
    // The bug of an issue may be hidden, or have been, and then what was said there comes back another way.
    const pair = pairs.find((each) => each.issue.repo === repo && each.issue.number === issue);
    if (pair !== undefined && !onceHidden.has(pair.bug.id)) check(text, addressOf(repo, issue), texts);
  }
  return found;
}

/** A file that moved along with its bug stays where it was, too. */
function files(
  github: GithubWorld,
  repos: readonly string[],
  { files: given, onceHidden, onceMoved, transferred }: Actions,
): readonly string[] {
  const shown = repos.flatMap((repo) => storedIn(github, repo));
  return [...given].flatMap(([content, bug]) => {
    const count = shown.filter((file) => file === content).length;
    const isAway = onceMoved.has(bug) || transferred.size > 0;
    const isRight = isAway ? count >= 1 : count === 1;
    return onceHidden.has(bug) || isRight ? [] : [`"${content}" of bug ${bug} is on the branches ${count} times`];
  });
}

const storedIn = (github: GithubWorld, repo: string): readonly string[] =>
  [...github.files(repo, 'attachments').values()].map((bytes) => Buffer.from(bytes).toString());

/** No text, title or file on GitHub contains private content. */
function secrets(
  github: GithubWorld,
  repos: readonly string[],
  { secrets: given, hidden }: Actions,
): readonly string[] {
  const texts = repos.flatMap((repo) =>
    github
      .issues(repo)
      .flatMap(({ number, title, body }) => [title, body, ...github.commentsOf(repo, number).map((each) => each.body)]),
  );
  const shown = [...texts, ...repos.flatMap((repo) => storedIn(github, repo))].join('\n');
  const isSecret = (bug: number | null) => bug === null || hidden.has(bug);
  return [...given].flatMap(([secret, bug]) =>
    isSecret(bug) && shown.includes(secret) ? [`"${secret}" is private, and GitHub shows it`] : [],
  );
}
