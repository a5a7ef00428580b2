import { bugId } from '../../../src/model/ids.ts';
import type { Link } from '../../../src/model/link.ts';
import type { Direction, Route } from '../../../src/model/route.ts';
import { allLinks } from '../oracle.ts';
import { bot, commentsOfOurs, repo, type Stage } from '../stage.ts';
import { attachmentStoreInWords } from '../world/attachments.ts';
import type { Said } from './crowd.ts';
import { isAsked, isHidden, pairs, shownOn } from './edits.ts';
import type { Past } from './past.ts';

/** What must hold once people rest, whatever went back. */
export function restoreViolations(
  world: Stage,
  said: Said,
  past: Past,
  { direction }: Route,
  isTheirs: (bug: number, words: string) => boolean,
): readonly string[] {
  const links = allLinks(world);
  return [
    ...doubled(world),
    ...(past.isTrackerOlder() ? [] : [...agreement(world, links), ...spoken(world, said, links, direction, isTheirs)]),
    ...ofOurs(world),
    ...hiddenThings(world, said),
    ...locked(world, links),
  ];
}

/** I4: one counterpart for each bug and each issue. */
function doubled(world: Stage): readonly string[] {
  const all = pairs(world);
  const twice = (of: 0 | 1, what: string) =>
    [...Map.groupBy(all, (pair) => pair[of])].flatMap(([ref, list]) =>
      list.length > 1 ? [`I4: ${what} ${ref} has the counterparts ${list.map((pair) => pair[1 - of]).join()}`] : [],
    );
  return [...twice(0, 'bug'), ...twice(1, 'issue')];
}

/** I1: each public bug has its issue, and both say the same, or a person is asked. */
function agreement(world: Stage, links: readonly Link[]): readonly string[] {
  const { bugs, issues } = shownOn(world);
  return world.tracker.bugs().flatMap(({ id, groups }) => {
    const link = links.find(({ bug }) => bug === id);
    if (groups.length > 0) return [];
    const [bug, issue] = [bugs.get(id), issues.get(link?.issue ?? 0)];
    if (link?.state !== 'live' || bug === undefined || issue === undefined)
      return [`I3: bug ${id} has no issue: ${link?.state} ${link?.reason}`];
    return (['title', 'status', 'severity', 'milestone', 'crash'] as const).flatMap((field) =>
      bug[field] === issue[field] || isAsked(world, link, field)
        ? []
        : [`I1: ${field} of bug ${id} and issue ${link.issue}: ${bug[field]} / ${issue[field]}`],
    );
  });
}

/** I3 and I4: what was said stands once on the other side. */
function spoken(
  { tracker, github }: Stage,
  { onBugs, onIssues }: Said,
  links: readonly Link[],
  direction: Direction,
  isTheirs: (bug: number, words: string) => boolean,
): readonly string[] {
  const isOpen = (link: Link | undefined): link is Link =>
    link?.state === 'live' && tracker.bug(link.bug ?? 0)?.groups.length === 0;
  const judge = (words: string, texts: readonly string[], least = 1): readonly string[] => {
    const count = texts.filter((each) => each.includes(words)).length;
    return count === 1 || count === least ? [] : [`${count === 0 ? 'I3' : 'I4'}: "${words}" has ${count} copies`];
  };
  return [
    ...[...onBugs].flatMap(([words, bug]) => {
      const link = links.find((each) => each.bug === bug);
      if (!isOpen(link) || link.issue === null) return [];
      const bodies = commentsOfOurs(github, link.issue).map(({ body }) => body);
      return judge(words, [github.issue(repo, link.issue)?.body ?? '', ...bodies], isTheirs(bug, words) ? 0 : 1);
    }),
    ...[...onIssues].flatMap(([words, issue]) => {
      const link = links.find((each) => each.issue === issue);
      if (!isOpen(link) || link.bug === null || direction !== 'both') return [];
      return judge(
        words,
        tracker.commentsOf(link.bug).map(({ text }) => text),
      );
    }),
  ];
}

/** Nothing of ours crosses: what the bridge leaves of a hidden bug are no words of people. */
function ofOurs({ tracker }: Stage): readonly string[] {
  return tracker
    .bugs()
    .flatMap(({ id, summary }) =>
      / is not public$| moved to another product$/u.test(summary) ? [`I3: bug ${id} is called "${summary}"`] : [],
    );
}

/** I9: nothing of what is hidden stands on GitHub, but for what people quoted in comments of their own. */
function hiddenThings(world: Stage, { onBugs, attached }: Said): readonly string[] {
  const { tracker, github } = world;
  const texts = JSON.stringify(
    github.issues(repo).map((issue) => [issue.title, issue.body, commentsOfOurs(github, issue.number)]),
  );
  const store = attachmentStoreInWords(world);
  const isSecret = (bug: number): boolean => isHidden(world, { bug: bugId(bug) });
  const words = [...onBugs].filter(([, bug]) => isSecret(bug)).map(([each]) => each);
  const titles = tracker
    .bugs()
    .flatMap(({ id, summary }) => (isSecret(id) && /^(?:Filed|Tracker title) no /u.test(summary) ? [summary] : []));
  const files = [...attached].filter(([, id]) => {
    const file = tracker.state.attachments.get(id);
    return file !== undefined && (file.isPrivate || isSecret(file.bug));
  });
  return [
    ...[...words, ...titles].flatMap((each) => (texts.includes(each) ? [`I9: "${each}" is hidden and on GitHub`] : [])),
    ...files.flatMap(([each]) =>
      `${store}${texts}`.includes(each) ? [`I9: "${each}" is of a hidden file and on GitHub`] : [],
    ),
  ];
}

/** A public bug has an issue in which people can talk. */
function locked({ tracker, github }: Stage, links: readonly Link[]): readonly string[] {
  return links.flatMap(({ bug, issue, state }) => {
    const [there, copy] = [tracker.bug(bug ?? 0), github.issue(repo, issue ?? 0)];
    const isOpen = state === 'live' && there?.groups.length === 0 && copy !== null;
    return isOpen && (copy.isLocked || (copy.author === bot && / is not public$/u.test(copy.title)))
      ? [`I1: issue ${issue} of the public bug ${bug} is locked, or has no title`]
      : [];
  });
}
