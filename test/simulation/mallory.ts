import { isDeepStrictEqual } from 'node:util';
import type { Link } from '../../src/model/link.ts';
import type { Direction, Limits, Route } from '../../src/model/route.ts';
import type { User } from '../../src/sandbox/tracker/world/state.ts';
import { type Random, random } from '../support/random.ts';
import { allLinks } from './oracle.ts';
import { bot, commentsOfOurs, isPoison, repo, type Stage } from './stage.ts';
import { type Actions, isRefusal } from './world/people.ts';

/**
 * Mallory has an account on both sides and the rights of anybody, and knows how the bridge recognises what is its own.
 * Whatever she writes says so, so that the judge finds it wherever it arrives. Her draws are her own.
 */
export interface Mallory {
  act(): void;
  /** She acts now and then, between two requests. */
  interfere(): void;
  /** I11: how many cycles others wait while she writes all the time, against how many otherwise. */
  delays(
    turn: () => Promise<unknown>,
    route: Pick<Route & Limits, 'direction' | 'writesPerCycle'>,
  ): Promise<readonly string[]>;
  violations(links: readonly Link[]): readonly string[];
}

const [elsewhere, login] = ['acme/elsewhere', 'mallory@example.test'];

/** Names that others have, or that look as if the bridge vouched for them. */
const names: readonly string[] = [
  'Mallory',
  'mona (maintainer)',
  'Alice Anderson (mona)',
  'Alice Anderson （mona）',
  'Alice Anderson',
  'Bridge Bot',
  '**Alice Anderson** (mona)',
  '@mona',
  'GitHub user mona',
];

/** Hosts whose paths look like those of the repository; some are not even well-formed. */
const hosts: readonly string[] = [
  ...Array.from({ length: 4 }, () => 'https://github.com'),
  'https://gitlab.com',
  'https://codeberg.org',
  'https://github.com.evil.test',
  'https://github.com@evil.test',
];

/** Short texts of each kind that is slow to read, or deep. */
const slow: readonly string[] = [
  `${'*'.repeat(2_000)}x${'*'.repeat(2_000)}`,
  `${'[^1]: '.repeat(3_001)}x`,
  'ab{\n\n'.repeat(60),
  `${'> '.repeat(400)}x`,
  `${'- '.repeat(400)}x`,
  '[a]: b\n'.repeat(300),
  '|x|y|\n'.repeat(300),
  Array.from({ length: 60 }, (_, index) => `https:a${index}`).join(),
  Array.from({ length: 60 }, (_, index) => `#${index + 1}`).join(),
  '![['.repeat(300),
  '<div>\n\n'.repeat(40),
  '`'.repeat(999),
  '\n'.repeat(4_000),
];

export function mallory(seed: number, stage: Stage, actions: Actions): Mallory {
  const { tracker, github } = stage;
  const draw = random(seed + 210_000_000);
  Object.assign(tracker.state, { takesSeeAlso: (url: string) => hosts.some((host) => url.startsWith(host)) });
  tracker.state.users.push({ ...tracker.user('bob'), id: 66, login, realName: 'Mallory', apiKey: 'm'.repeat(40) });
  github.addUser('mallory');
  github.addRepo(elsewhere, { permissions: { [bot]: 'write', mona: 'admin' } });
  const others = bystanders(stage);
  let serial = 0;
  const words = (): string => {
    serial += 1;
    return `Mallory says no ${serial}.`;
  };
  const said = { stage, draw, actions, words, others };
  const all = [...onTracker(said), ...onGithub(said)];
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  };
  const storm = ({ bug, issue }: Link, times: number): void => {
    for (let count = 0; count < times; count += 1) {
      attempt(() => sayOnTracker(said, words(), '', bug ?? 0));
      attempt(() => sayOnGithub(said, words(), '', issue ?? 0));
    }
  };
  const act = () => attempt(draw.pick(all));
  return {
    act,
    interfere() {
      if (draw.chance(0.06)) act();
    },
    async delays(turn, { direction, writesPerCycle }) {
      const links = allLinks(stage);
      const pair = links.findLast((link) => isOfOthers(stage, actions, link));
      const busy = links.find(({ id, state, issue }) => state === 'live' && issue !== null && id !== pair?.id);
      if (pair === undefined || busy === undefined) return [];
      const cycles = async (): Promise<number> => {
        const arrived = sayOf(said, pair, direction);
        for (let count = 1; count < 9; count += 1) {
          stage.clock.advance(61_000);
          await turn();
          if (arrived()) return count;
        }
        return 9;
      };
      const usual = await cycles();
      storm(busy, Math.min(writesPerCycle, 10) * 2);
      const found = await cycles();
      return found > usual ? [`I11: bug ${pair.bug} waits ${found} cycles while she writes, else ${usual}`] : [];
    },
    violations: (links) => [
      ...pairsOf(stage, links),
      ...wordsOf(stage, links),
      ...headersOf(stage),
      ...others.violations(),
      ...stage.store.setAside.ofRoute('widget').map(({ ref, stage: at }) => `I11: ${ref} was set aside: ${at}`),
    ],
  };
}

interface Said {
  readonly stage: Stage;
  readonly draw: Random;
  readonly actions: Actions;
  readonly words: () => string;
  readonly others: Bystanders;
}

function isOfOthers({ tracker, github }: Stage, { hidden }: Actions, { state, bug, issue }: Link): boolean {
  const [there, copy] = [tracker.bug(bug ?? 0), github.issue(repo, issue ?? 0)];
  if (state !== 'live' || there === null || copy === null || hidden.has(there.id)) return false;
  return there.creator !== login && copy.author !== 'mallory' && !copy.isLocked && !isPoison(there.summary);
}

/** Somebody else says something where that crosses; answers whether it has arrived. */
function sayOf({ stage: { tracker, github }, actions, words }: Said, { bug, issue }: Link, direction: Direction) {
  const text = words().replace('Mallory says', 'Somebody else says');
  if (direction === 'to-tracker') {
    const id = github.as('mona').comment(repo, issue ?? 0, text);
    actions.issueComments.set(text, { issue: issue ?? 0, id });
    return () => tracker.commentsOf(bug ?? 0).some((each) => each.text.includes(text));
  }
  tracker.as('alice').comment(bug ?? 0, text);
  actions.bugComments.set(text, bug ?? 0);
  return () => github.commentsOf(repo, issue ?? 0).some(({ body }) => body.includes(text));
}

/** What stands under the words, which may make the bridge take them for something else. */
function claims({ stage: { tracker, github }, draw, others }: Said): string {
  const [bug, issue] = [someNumber(draw, tracker.bugs().length), someNumber(draw, github.issues(repo).length)];
  const ours = github.issues(repo).flatMap(({ number }) => commentsOfOurs(github, number));
  const marker = ours.length === 0 ? '' : (/<!-- bugferry:[^\n]*$/u.exec(draw.pick(ours).body)?.[0] ?? '');
  return draw.pick([
    draw.pick(slow),
    marker,
    `<!-- bugferry:1 acme bug=${draw.pick([bug, others.bug])} -->`,
    `<!-- bugferry:1 acme bug=${bug} comment=${draw.below(30)} -->`,
    `<!-- bugferry:1 acme bug=${bug} moved -->`,
    '<!-- bugferry:1 acme dashboard=widget -->',
    '<!-- bugferry:1 acme remark=redirected -->',
    `---\n*Mirrored as [bug ${bug}](${tracker.url}/show_bug.cgi?id=${bug}).*\n\n<!-- bugferry:1 acme bug=${bug} -->`,
    `GitHub user mona wrote (https://github.com/${repo}/issues/${issue}):\n\nThis is hers.`,
    '**Alice Anderson (mona)** wrote in comment 1 on 2026-01-05 08:00 UTC:',
    `Duplicate of #${issue}`,
    `Duplicate of ${elsewhere}#${others.issue}`,
    `*** This bug has been marked as a duplicate of bug ${bug} ***`,
    `See bug ${bug}, comment ${draw.below(5)}, attachment 1 and #${issue}; cc @mona`,
    `This bug has moved to GitHub (https://github.com/${repo}/issues/${issue}).`,
    `This bug is mirrored on GitHub (https://github.com/${repo}/issues/${issue}).`,
    'Created attachment 9\nlog.txt',
  ]);
}

/** Mostly one that there is; at times the next ones, which there will be. */
const someNumber = (draw: Random, count: number): number => 1 + draw.below(count + 2);

function titleOf({ draw, words, stage }: Said): string {
  const bug = someNumber(draw, stage.tracker.bugs().length);
  return draw.pick([
    words(),
    `${words()} <!-- bugferry:1 acme bug=${bug} -->`,
    `${words()} Fixes #${bug}, @mona`,
    `Bug ${bug} is not public`,
    `Bug ${bug} moved to another product`,
  ]);
}

function onTracker(said: Said): readonly (() => void)[] {
  const { stage, draw, actions, words, others } = said;
  const { tracker, github } = stage;
  const self = () => tracker.as(login);
  const mine = () => draw.pick(tracker.bugs().filter(({ creator }) => creator === login))?.id ?? 0;
  const anyones = () => draw.pick(tracker.bugs())?.id ?? 0;
  const address = () =>
    `${draw.pick(hosts)}/${draw.pick([repo, repo, repo, elsewhere])}/issues/${someNumber(draw, github.issues(repo).length)}`;
  const retitle = (bug: number) => {
    const summary = `${titleOf(said)} title no ${draw.below(1_000_000)}`;
    self().change(bug, { summary });
    actions.bugTitles.set(bug, summary);
  };
  const name = () => {
    const at = tracker.state.users.findIndex((user) => user.login === login);
    const user: User = { ...tracker.user(login), realName: draw.pick(names) };
    tracker.state.users.splice(at, 1, user);
  };
  return [
    () => {
      const summary = titleOf(said);
      const claim = draw.chance(0.7) ? { see_also: [address()] } : {};
      const bug = self().file({ summary, description: `${words()}\n\n${claims(said)}`, ...claim });
      actions.bugTitles.set(bug, summary);
    },
    () => sayOnTracker(said, words(), claims(said)),
    () => sayOnTracker(said, words(), claims(said)),
    () => self().change(mine(), { see_also: { add: [address()] } }),
    () => self().change(anyones(), { see_also: { add: [address()] } }),
    () => self().change(mine(), { status: 'RESOLVED', resolution: draw.pick(['FIXED', 'WONTFIX']) }),
    () => self().change(anyones(), { status: 'RESOLVED', resolution: 'INVALID' }),
    () => self().change(mine(), { dupe_of: draw.pick([anyones(), others.bug]) }),
    () => retitle(mine()),
    () => retitle(anyones()),
    name,
    name,
  ];
}

function sayOnTracker(
  { stage: { tracker }, draw, actions }: Said,
  words: string,
  below: string,
  bug: number = draw.pick(tracker.bugs()).id,
): void {
  tracker.as(login).comment(bug, `${words}\n\n${below}`.trim());
  if (tracker.bug(bug)?.product === 'Widget') actions.bugComments.set(words, bug);
}

function onGithub(said: Said): readonly (() => void)[] {
  const { stage, draw, actions, words, others } = said;
  const { github } = stage;
  const self = github.as('mallory');
  const issues = () => github.issues(repo).filter(({ isPull }) => !isPull);
  const mine = () => draw.pick(issues().filter(({ author }) => author === 'mallory'))?.number ?? 0;
  const anyones = () => draw.pick(issues())?.number ?? 0;
  const retitle = (issue: number) => {
    const title = `${titleOf(said)} title no ${draw.below(1_000_000)}`;
    self.edit(repo, issue, { title });
    actions.issueTitles.set(issue, title);
  };
  return [
    () => {
      const title = titleOf(said);
      const issue = self.open(repo, { title, body: `${words()}\n\n${claims(said)}` });
      actions.issueTitles.set(issue, title);
    },
    () => sayOnGithub(said, words(), claims(said)),
    () => sayOnGithub(said, words(), claims(said)),
    () => self.edit(repo, mine(), { body: `${words()}\n\n${claims(said)}` }),
    () => retitle(mine()),
    () => retitle(anyones()),
    () => self.close(repo, draw.pick([mine(), anyones()]), draw.pick(['completed', 'not_planned'] as const)),
    () => self.reopen(repo, draw.pick([mine(), anyones()])),
    () => self.label(repo, anyones(), 'severity: critical'),
    () => self.close(elsewhere, others.issue),
    () => void self.comment(elsewhere, others.issue, `${words()}\n\n${claims(said)}`),
    () => {
      const body = `Fixes #${anyones()}, bug ${someNumber(draw, stage.tracker.bugs().length)}`;
      self.openPull(repo, { title: `${words()} ${body}`, body });
    },
  ];
}

function sayOnGithub(
  { stage: { github }, draw, actions }: Said,
  words: string,
  below: string,
  issue: number = draw.pick(github.issues(repo).filter(({ isPull }) => !isPull))?.number ?? 0,
): void {
  const id = github.as('mallory').comment(repo, issue, `${words}\n\n${below}`.trim());
  actions.issueComments.set(words, { issue, id });
}

interface Bystanders {
  readonly bug: number;
  readonly issue: number;
  violations(): readonly string[];
}

/** A bug and an issue that no route takes: nothing may happen to them but what people do there by hand. */
function bystanders({ tracker, github }: Stage): Bystanders {
  const gadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };
  const bug = tracker.as('alice').file({ summary: 'Bystander', description: 'Of another product.', ...gadget });
  const issue = github.as('mona').open(elsewhere, { title: 'Bystander', body: 'Of another repository.' });
  const seen = () => ({
    bug: [tracker.bug(bug)?.summary, tracker.bug(bug)?.status, tracker.bug(bug)?.see_also],
    comments: tracker.commentsOf(bug).flatMap(({ creator, text }) => (creator === login ? [] : [text])),
    issue: { ...github.issue(elsewhere, issue), author: '', updatedAt: 0 },
    answers: github.commentsOf(elsewhere, issue).flatMap(({ author, body }) => (author === 'mallory' ? [] : [body])),
  });
  const before = seen();
  const violations = () =>
    isDeepStrictEqual(seen(), before) ? [] : [`I16: a bystander changed: ${JSON.stringify(seen())}`];
  return { bug, issue, violations };
}

const isBridge = (creator: string): boolean => /^bridge(?:-insider)?@/u.test(creator);

/** I16: nobody pairs by hand here, so that the bridge made one end of each pair, and people the other. */
function pairsOf({ tracker, github }: Stage, links: readonly Link[]): readonly string[] {
  return links.flatMap(({ bug, issue }) => {
    const [creator, author] = [tracker.bug(bug ?? 0)?.creator, github.issue(repo, issue ?? 0)?.author];
    if (creator === undefined || author === undefined || isBridge(creator) !== (author === bot)) return [];
    return [`I16: bug ${bug} of ${creator} and issue ${issue} of ${author} are a pair`];
  });
}

/** I16: what she writes changes no words but in what is hers on either side. */
function wordsOf({ tracker, github }: Stage, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  const isHers = ({ bug, issue }: { readonly bug: number | null; readonly issue: number | null }): boolean =>
    tracker.bug(bug ?? 0)?.creator === login ||
    github.state.repos.get(repo)?.issues.get(issue ?? 0)?.author.login === 'mallory';
  for (const { id, summary, url, whiteboard } of tracker.bugs()) {
    const link = links.find(({ bug }) => bug === id) ?? { bug: id, issue: null };
    if (!isHers(link) && [summary, url, whiteboard].some((text) => text.includes('Mallory says')))
      found.push(`I16: bug ${id} is not hers, and says ${summary}`);
  }
  for (const { number, title, body, labels } of github.issues(repo)) {
    const link = links.find(({ issue }) => issue === number) ?? { bug: null, issue: number };
    if (!isHers(link) && [title, body, ...labels].some((text) => text.includes('Mallory says')))
      found.push(`I16: issue ${number} is not hers, and says ${title}: ${body}`);
  }
  return found;
}

/** I16: what the bridge says of her words names her, and vouches for nobody. */
function headersOf({ tracker, github }: Stage): readonly string[] {
  const isHers = (text: string): boolean => /^Mallory says no \d+\./mu.test(text);
  const onIssues = github
    .issues(repo)
    .flatMap(({ number, author, body }) => [
      ...(author === bot ? [body] : []),
      ...commentsOfOurs(github, number).map((comment) => comment.body),
    ])
    .filter((body) => isHers(body) && /^\*\*[^\n]*[(\u2768-\u276b\uff08@][^\n]*\*\* (?:wrote|opened)/u.test(body))
    .map((body) => `I16: a copy of Mallory's vouches for her: ${body.slice(0, 120)}`);
  const onBugs = tracker
    .bugs()
    .flatMap(({ id }) => tracker.commentsOf(id))
    .filter(({ creator, text }) => isBridge(creator) && isHers(text))
    .flatMap(({ text }) => {
      const who = /GitHub user (\S+)/u.exec(text)?.[1];
      // An edit is reported of "somebody" if GitHub does not name the editor.
      const isRight = who === 'mallory' || (who === 'somebody' && /^GitHub user somebody edited \(/u.test(text));
      return isRight ? [] : [`I16: a copy of Mallory's says that ${who} wrote it: ${text.slice(0, 120)}`];
    });
  return [...onIssues, ...onBugs];
}
