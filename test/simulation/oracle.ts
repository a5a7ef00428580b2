import type { Link } from '../../src/model/link.ts';
import type { Direction } from '../../src/model/route.ts';
import type { LedgerLine } from '../../src/model/store.ts';
import { cover } from '../../src/rules/operations/words.ts';
import { canonicalTitle } from '../../src/text/canonical.ts';
import { bot, commentsOfOurs, isPoison, keepsOut, repo, type Stage } from './stage.ts';
import { assignments } from './world/assignments.ts';
import { attachmentStoreInWords, fileViolations } from './world/attachments.ts';
import type { Actions } from './world/people.ts';
import { isWornOut, truths } from './world/truths.ts';

/**
 * What must hold once people rest and both sides are quiet. Nothing here asks the bridge what it thinks: worlds, what
 * people did, and the ledger as a reader sees it.
 * @returns one line for each thing that does not hold, beginning with the invariant
 */
export function violations(
  stage: Stage,
  actions: Actions,
  direction: Direction = 'both',
  hasOptedOut = false,
): readonly string[] {
  const links = allLinks(stage);
  if (direction !== 'both') return oneWay(stage, actions, links, direction, hasOptedOut);
  return [
    ...once(stage, actions, links),
    ...agreement(stage, links, hasOptedOut),
    ...titles(stage, actions, links),
    ...reverted(stage, actions, links),
    ...comments(stage, actions, links),
    ...references(stage, links),
    ...buried(stage, actions, links),
    ...fileViolations(stage, actions, links, direction),
    ...secrets(stage, actions),
  ];
}

/** I8: nothing is written upstream; downstream, what was said arrives once, and what people change is put right. */
function oneWay(
  stage: Stage,
  actions: Actions,
  links: readonly Link[],
  direction: 'to-github' | 'to-tracker',
  hasOptedOut: boolean,
): readonly string[] {
  const upstream = direction === 'to-github' ? 'tracker' : 'github';
  const writes = stage.calls.filter(
    ({ side, method }) => side === upstream && ['create', 'update', 'comment'].includes(method),
  );
  const found = writes.map(({ method }) => `I8: ${method} on ${upstream}, which is upstream`);
  const downstream = {
    ...actions,
    ...(direction === 'to-github' ? { issueComments: new Map() } : { bugComments: new Map() }),
  };
  const doubled = once(stage, actions, links).filter((line) => direction === 'to-tracker' || line.startsWith('I4'));
  return [
    ...found,
    ...doubled,
    ...(direction === 'to-github' ? agreement(stage, links, hasOptedOut) : truths(stage, links)),
    ...comments(stage, downstream, links),
    ...buried(stage, actions, links),
    ...fileViolations(stage, actions, links, direction),
    ...secrets(stage, actions),
  ];
}

export function allLinks(stage: Stage): readonly Link[] {
  return stage.store.links.after('widget', null, 1_000_000);
}

/** I4 and I5: one counterpart for each bug and each issue, deleted ones counted. */
function once(stage: Stage, { unseenIssues }: Actions, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  const issues = [...(stage.github.state.repos.get(repo)?.issues.values() ?? [])];
  for (const bug of stage.tracker.bugs()) {
    const mirrors = issues.filter(
      ({ body, author }) => author.login === bot && (body ?? '').trimEnd().endsWith(` bug=${bug.id} -->`),
    );
    // An issue that somebody deleted before we heard of it, or that no replica showed, has left no trace that we could
    // find.
    const isUnheard = ({ number, fate }: (typeof mirrors)[number]): boolean =>
      fate.kind !== 'there' || unseenIssues.has(number);
    const unheard = wasInDoubt(stage, links, bug.id) ? mirrors.filter(isUnheard).length : 0;
    if (mirrors.length - unheard > 1)
      found.push(`I4: bug ${bug.id} has the issues ${mirrors.map(({ number }) => number).join(', ')}`);
  }
  for (const issue of issues.filter(({ author, isPull }) => author.login !== bot && !isPull)) {
    const url = `https://github.com/${repo}/issues/${issue.number}`;
    const first = (id: number) => stage.tracker.commentsOf(id)[0]?.text ?? '';
    const mirrors = stage.tracker
      .bugs()
      .filter(({ id, creator }) => creator.startsWith('bridge') && first(id).split('\n', 1)[0]?.includes(`(${url}):`));
    if (mirrors.length > 1)
      found.push(`I4: issue ${issue.number} has the bugs ${mirrors.map(({ id }) => id).join(', ')}`);
    if (mirrors.length === 0 && issue.fate.kind === 'there' && !keepsOut(issue.body ?? ''))
      found.push(`I3: issue ${issue.number} has no bug`);
  }
  return found;
}

function wasInDoubt(stage: Stage, links: readonly Link[], bug: number): boolean {
  const link = links.find((each) => each.bug === bug);
  return (
    link !== undefined &&
    stage.store.ledger.ofLink(link.id).some(({ kind, detail }) => kind === 'settle' && detail['operation'] === 'create')
  );
}

/** I1: what both sides can say of a pair is the same. */
function agreement(stage: Stage, links: readonly Link[], hasOptedOut: boolean): readonly string[] {
  const found: string[] = [];
  for (const bug of stage.tracker
    .bugs()
    .filter(({ product, groups, summary }) => product === 'Widget' && groups.length === 0 && !isPoison(summary))) {
    const link = links.find((each) => each.bug === bug.id);
    if (!link || link.issue === null)
      found.push(`I3: bug ${bug.id} has no issue (${link?.state ?? 'no link'} ${link?.reason ?? ''})`);
    const issue = link?.issue ? stage.github.issue(repo, link.issue) : null;
    if (!issue || link?.state !== 'live' || isWornOut(stage, link)) continue;
    const pair = `bug ${bug.id} and issue ${issue.number}`;
    const say = (what: string, here: unknown, there: unknown) =>
      found.push(`I1: ${what} of ${pair}: ${String(here)} / ${String(there)}`);
    if (canonicalTitle(bug.summary) !== canonicalTitle(issue.title)) say('titles', bug.summary, issue.title);
    const isClosed = bug.resolution !== '';
    if (isClosed !== (issue.state === 'closed')) say('states', `${bug.status} ${bug.resolution}`, issue.state);
    const reason = { FIXED: 'completed', DUPLICATE: 'duplicate' }[bug.resolution] ?? 'not_planned';
    if (isClosed && issue.state === 'closed' && (issue.stateReason ?? 'completed') !== reason)
      say('reasons', bug.resolution, issue.stateReason);
    const labels = new Set(issue.labels.map((label) => label.toLowerCase()));
    if (!labels.has(`severity: ${bug.severity}`)) say('severity', bug.severity, [...labels]);
    if (!labels.has(`component: ${bug.component.toLowerCase()}`)) say('component', bug.component, [...labels]);
    if (labels.has('status: in progress') !== (bug.status === 'IN_PROGRESS')) say('progress', bug.status, [...labels]);
    found.push(...assignments(stage, link, hasOptedOut));
    const [wanted, shown] = [
      bug.url === '' ? [] : [`| URL | <${bug.url}> |`],
      issue.body.match(/\| URL \| .*/gu) ?? [],
    ];
    // Whoever opened the issue may take our lines off it.
    const isOurs = issue.author === bot || issue.body.includes(`<!-- bugferry:1 acme bug=${bug.id} -->`);
    if (isOurs && wanted.join() !== shown.join()) say('tables', wanted, shown);
    const [waits, isBlocked] = relations(stage, links, bug.id, issue.number);
    if (waits !== isBlocked && !wasRefused(stage, link)) say('relations', waits, isBlocked);
    for (const keyword of ['crash', 'regression'])
      if (labels.has(keyword) !== bug.keywords.includes(keyword)) say(keyword, bug.keywords, [...labels]);
  }
  return found;
}

/** What the bug waits for and what the issue is blocked by, both by the ids of bugs that are mirrored and public. */
function relations(stage: Stage, links: readonly Link[], bug: number, issue: number): readonly [string, string] {
  const ends = links.filter((link) => link.state === 'live' && link.bug !== null && link.issue !== null);
  const shown = ends.filter((link) => {
    const target = stage.tracker.bug(link.bug ?? 0);
    return target?.groups.length === 0 && stage.github.issue(repo, link.issue ?? 0) !== null;
  });
  const waits = shown.filter((link) => stage.tracker.bug(bug)?.depends_on.includes(link.bug ?? 0));
  const isBlocked = shown.filter((link) => stage.github.issue(repo, issue)?.blockedBy.includes(link.issue ?? 0));
  return [waits.map((link) => link.bug).join(' '), isBlocked.map((link) => link.bug).join(' ')];
}

/** Both sides refuse circles, and edits of both may make one together. */
function wasRefused({ store }: Stage, link: Link): boolean {
  return store.ledger
    .ofLink(link.id)
    .some(
      ({ outcome, detail }) => outcome === 'parked' || JSON.stringify(detail['deviates'] ?? '').includes('dependsOn'),
    );
}

/**
 * I3: the last title that people gave on either side stands, or the ledger keeps it. What an update replaced whose answer
 * was lost is kept by the tracker's own history only: a title written there between our read and our write; and one that
 * both sides had, where the ledger tells no values, as nobody knew whether the bug was still public. One written on
 * GitHub between our read and our write is kept by nobody (docs/gaps.md).
 */
function titles(stage: Stage, actions: Actions, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  const isUntold = (detail: LedgerLine['detail']) => JSON.stringify(detail['before'] ?? '').includes(cover);
  const doubtful = (link: Link) =>
    stage.store.ledger
      .ofLink(link.id)
      .some(({ kind, on, detail }) => kind === 'settle' && (on === 'tracker' || isUntold(detail)));
  const check = (link: Link | undefined, given: string, final: string | undefined) => {
    if (
      link?.state !== 'live' ||
      final === undefined ||
      canonicalTitle(final) === given ||
      actions.unseenTitles.has(given)
    )
      return;
    const story = JSON.stringify([
      stage.store.ledger.ofLink(link.id),
      doubtful(link) ? stage.tracker.state.history.get(link.bug ?? 0) : null,
    ]);
    if (!story.includes(given))
      found.push(
        `I3: the title "${given}" of link ${link.id} (bug ${link.bug}, issue ${link.issue}) is lost; now "${final}"`,
      );
  };
  for (const [id, given] of actions.bugTitles)
    check(
      links.find(({ bug }) => bug === id),
      given,
      stage.tracker.bug(id)?.summary,
    );
  for (const [number, given] of actions.issueTitles)
    check(
      links.find(({ issue }) => issue === number),
      given,
      stage.github.issue(repo, number)?.title,
    );
  return found;
}

/** I3: where people of one side only gave new titles, there is no conflict, and the last of them stands on both. */
function reverted(stage: Stage, actions: Actions, links: readonly Link[]): readonly string[] {
  return links
    .filter(({ state, bug }) => state === 'live' && !actions.hidden.has(bug ?? 0))
    .flatMap(({ bug, issue }) => {
      const given = [actions.bugTitles.get(bug ?? 0), actions.issueTitles.get(issue ?? 0)].filter((title) =>
        title?.includes(' title no '),
      );
      const titles = [stage.tracker.bug(bug ?? 0)?.summary, stage.github.issue(repo, issue ?? 0)?.title];
      const isReverted =
        given.length === 1 &&
        titles.every((title) => title !== undefined) &&
        !titles.every((title) => title === given[0]);
      return isReverted && !actions.unseenTitles.has(given[0] ?? '')
        ? [`I3: nobody took back "${given[0]}" of bug ${bug} and issue ${issue}; now ${titles.join(' / ')}`]
        : [];
    });
}

/** I3 and I4: every comment that stands has exactly one copy. */
function comments(stage: Stage, actions: Actions, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  const onGithub = stage.github.issues(repo).flatMap(({ number }) => stage.github.commentsOf(repo, number));
  for (const [said, bug] of actions.bugComments) {
    const link = links.find((each) => each.bug === bug);
    if (link?.state !== 'live' || isPoison(stage.tracker.bug(bug)?.summary ?? '')) continue;
    const copies = onGithub.filter(({ body }) => body.includes(said));
    if (copies.length !== 1)
      found.push(`${copies.length === 0 ? 'I3' : 'I4'}: "${said}" on bug ${bug} has ${copies.length} copies`);
  }
  const onTracker = stage.tracker
    .bugs()
    .flatMap(({ id }) => stage.tracker.commentsOf(id).map(({ text }) => ({ text: asItStands(text) })));
  for (const { text } of onTracker)
    if (text.includes('More about this bug')) found.push(`I2: a table came back as somebody's words: "${text}"`);
  for (const [said, { issue }] of actions.issueComments) {
    const link = links.find((each) => each.issue === issue);
    // An issue of ours that no replica showed was made again, and stays without a bug.
    if (link?.state !== 'live' || (link.bug === null && actions.unseenIssues.has(issue))) continue;
    const copies = onTracker.filter(({ text }) => text.includes(said));
    if (copies.length !== 1)
      found.push(`${copies.length === 0 ? 'I3' : 'I4'}: "${said}" on issue ${issue} has ${copies.length} copies`);
  }
  return found;
}

/**
 * I13: a reference leads to what is meant, or nowhere: to the issue of that bug, to the bug of that issue, to a page of
 * that bug.
 */
function references(stage: Stage, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  for (const { number } of stage.github.issues(repo)) {
    const own = links.find(({ issue }) => issue === number)?.bug;
    for (const { body } of commentsOfOurs(stage.github, number)) {
      for (const [, what = '', word, comment, url = ''] of body.matchAll(
        /\[((?:bug (\d+))?(?:,? ?comment (\d+))?)\]\(([^)]+)\)/gu,
      )) {
        const bug = Number(word ?? own);
        const issue = links.find((link) => link.bug === bug)?.issue;
        const isPage = url.startsWith(`${stage.tracker.url}/show_bug.cgi?id=${bug}`);
        const isIssue =
          issue !== null && new RegExp(`/acme/widget/issues/${issue}(?:#issuecomment-\\d+)?$`, 'u').test(url);
        if (!isPage && !isIssue) found.push(`I13: "${what}" on issue ${number} leads to ${url}`);
        if (isIssue && comment !== undefined && !saysWhat(stage, bug, Number(comment), url))
          found.push(`I13: "${what}" on issue ${number} leads to ${url}`);
      }
    }
  }
  for (const { id } of stage.tracker.bugs()) {
    for (const { text } of stage.tracker.commentsOf(id)) {
      const [, said, meant] = /^(Said on GitHub no \d+)\. See bug (\d+)\.$/mu.exec(text) ?? [];
      const wanted = sourceOf(stage, said ?? '');
      const issue = links.find(({ bug }) => bug === Number(meant))?.issue;
      if (said !== undefined && wanted !== null && wanted !== issue)
        found.push(`I13: "${said}" on bug ${id} means issue ${wanted}, and says bug ${meant}`);
    }
  }
  return found;
}

/**
 * Whether the comment on GitHub that a link leads to has what the comment of the bug says; one that was deleted or
 * edited cannot tell.
 */
function saysWhat(stage: Stage, bug: number, count: number, url: string): boolean {
  const text = stage.tracker.commentsOf(bug)[count]?.text ?? '';
  const said = /(?:Said on the tracker|Answered at once) no \d+\./u.exec(text)?.[0];
  const id = Number(/#issuecomment-(\d+)$/u.exec(url)?.[1] ?? 0);
  const copy = stage.github
    .issues(repo)
    .flatMap(({ number }) => stage.github.commentsOf(repo, number))
    .find((comment) => comment.id === id);
  return said === undefined || copy === undefined || !copy.body.includes('<!-- bugferry:1') || copy.body.includes(said);
}

/** The issue of a comment on GitHub; null if the comment is gone. */
function sourceOf(stage: Stage, said: string): number | null {
  const all = stage.github.issues(repo).flatMap(({ number }) => stage.github.commentsOf(repo, number));
  const number = all
    .map(({ body }) => new RegExp(`^${said}\\. See #(\\d+)\\.`, 'u').exec(body)?.[1])
    .find((each) => each !== undefined);
  return number === undefined ? null : Number(number);
}

/** What a report of an edit says that stands there now. */
const asItStands = (text: string): string => text.replace(/\[-[\s\S]*?-\]/gu, '').replace(/\{\+|\+\}/gu, '');

/** I5: a copy that was deleted on GitHub is not made again. */
function buried(stage: Stage, actions: Actions, links: readonly Link[]): readonly string[] {
  const onGithub = stage.github.issues(repo).flatMap(({ number }) => commentsOfOurs(stage.github, number));
  return [...actions.buried]
    .filter(
      ([, issue]) =>
        !hasDoubt(
          stage,
          links.find((link) => link.issue === issue),
        ),
    )
    .filter(([marker]) => onGithub.some(({ body }) => body.endsWith(marker)))
    .map(([marker, issue]) => `I5: the copy ${marker} was deleted on issue ${issue} and stands there again`);
}

/** A copy that was deleted before we heard of it cannot be known to have been there. */
const hasDoubt = (stage: Stage, link: Link | undefined): boolean =>
  link === undefined || stage.store.ledger.ofLink(link.id).some(({ kind }) => kind === 'settle');

/** I9: nothing private stands anywhere on GitHub. */
function secrets(stage: Stage, actions: Actions): readonly string[] {
  const texts = JSON.stringify(
    [...(stage.github.state.repos.get(repo)?.issues.values() ?? [])].map(({ title, body, comments }) => [
      title,
      body,
      comments,
    ]),
  );
  const everything = `${texts}\n${attachmentStoreInWords(stage)}`;
  return [...actions.secrets]
    .filter((secret) => everything.includes(secret))
    .map((secret) => `I9: "${secret}" reached GitHub`);
}
