import type { IssueView } from '../../src/sandbox/github/world/oracle-view.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import type { Actions } from './actions.ts';
import type { Keys } from './keys.ts';
import { bugsOf, commentsOf, type LiveBug, type LiveComment, openLiveTracker } from './tracker.ts';

export interface Judged {
  readonly url: string;
  readonly keys: Keys;
  readonly github: GithubWorld;
  readonly repo: string;
  readonly actions: Actions;
}

interface Pair {
  readonly bug: LiveBug;
  readonly issue: IssueView;
  readonly comments: readonly LiveComment[];
  readonly copies: readonly string[];
}

/**
 * Compares both sides completely, by what they show, and never asks the bridge. Content is public if an anonymous
 * reader sees it.
 * @returns a line for each thing that is wrong
 */
export async function violations({ url, keys, github, repo, actions }: Judged): Promise<readonly string[]> {
  const anonymous = openLiveTracker(url, null);
  const bugs = await bugsOf(anonymous, keys.product);
  const issues = github.issues(repo).filter(({ isPull }) => !isPull);
  const found: string[] = [];
  const pairs: Pair[] = [];
  for (const bug of bugs) {
    const comments = await commentsOf(anonymous, bug.id);
    const mine = issues.filter((issue) => isOf(issue, bug, comments, repo));
    if (mine.length !== 1)
      found.push(`bug ${bug.id} has ${mine.length} issues: ${mine.map(({ number }) => number).join(', ')}`);
    const [issue] = mine;
    if (issue !== undefined)
      pairs.push({ bug, issue, comments, copies: github.commentsOf(repo, issue.number).map(({ body }) => body) });
  }
  for (const number of actions.opened) {
    const isMirrored = pairs.some(({ issue }) => issue.number === number);
    const wasHidden = [...actions.onceHidden].some((bug) =>
      issues.find((issue) => issue.number === number)?.body.includes(`bug=${bug} -->`),
    );
    if (!isMirrored && !wasHidden) found.push(`issue ${number} has no bug`);
  }
  for (const pair of pairs) found.push(...agreement(pair, actions), ...copiesOf(pair, keys), ...order(pair, actions));
  return [...found, ...said(pairs, actions), ...files(github, repo, actions), ...secrets(github, repo, actions)];
}

/** One that the bridge opened ends with its marker; the bug of one that people opened begins with its address. */
function isOf(
  { number, body, author }: IssueView,
  { id }: LiveBug,
  [description]: readonly LiveComment[],
  repo: string,
): boolean {
  const isFromBug = author === 'bugferry-bot' && body.trimEnd().endsWith(` bug=${id} -->`);
  return isFromBug || (description?.text ?? '').includes(`(https://github.com/${repo}/issues/${number}):`);
}

const spaced = (title: string): string => title.replace(/\[U\+[0-9A-F]+\]|\p{Extended_Pictographic}|\s+/gu, ' ').trim();

function agreement({ bug, issue }: Pair, { bugTitles, issueTitles }: Actions): readonly string[] {
  const found: string[] = [];
  const say = (what: string, here: unknown, there: unknown) => {
    found.push(`${what} of bug ${bug.id} and issue ${issue.number} differ: ${String(here)} / ${String(there)}`);
  };
  if (spaced(bug.summary).slice(0, 200) !== spaced(issue.title).slice(0, 200)) say('titles', bug.summary, issue.title);
  const given = [bugTitles.get(bug.id), issueTitles.get(issue.number)].filter((title) => title !== undefined);
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
  for (const { bug, issue, comments, copies } of pairs) {
    for (const [text, id] of bugComments) if (id === bug.id) check(text, `bug ${bug.id}`, copies);
    if (onceHidden.has(bug.id)) continue;
    const texts = comments.map(({ text }) => text.replace(/\[-[\s\S]*?-\]/gu, '').replace(/\{\+|\+\}/gu, ''));
    for (const [text, { issue: number }] of issueComments)
      if (number === issue.number) check(text, `issue ${issue.number}`, texts);
  }
  return found;
}

function files(github: GithubWorld, repo: string, { files: given, onceHidden }: Actions): readonly string[] {
  const shown = [...github.files(repo, 'attachments').values()].map((bytes) => Buffer.from(bytes).toString());
  return [...given].flatMap(([content, bug]) => {
    const count = shown.filter((file) => file === content).length;
    return onceHidden.has(bug) || count === 1 ? [] : [`"${content}" of bug ${bug} is on the branch ${count} times`];
  });
}

/** No text, title or file on GitHub contains private content. */
function secrets(github: GithubWorld, repo: string, { secrets: given, hidden }: Actions): readonly string[] {
  const issues = github.issues(repo);
  const texts = issues.flatMap(({ number, title, body }) => [
    title,
    body,
    ...github.commentsOf(repo, number).map((comment) => comment.body),
  ]);
  const shown = [
    ...texts,
    ...[...github.files(repo, 'attachments').values()].map((bytes) => Buffer.from(bytes).toString()),
  ].join('\n');
  const isSecret = (bug: number | null) => bug === null || hidden.has(bug);
  return [...given].flatMap(([secret, bug]) =>
    isSecret(bug) && shown.includes(secret) ? [`"${secret}" is private, and GitHub shows it`] : [],
  );
}
