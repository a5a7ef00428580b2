import { bugId, issueNumber, type Side } from '../../../src/model/ids.ts';
import type { Link } from '../../../src/model/link.ts';
import { canonicalTitle } from '../../../src/text/canonical.ts';
import { bot, repo, type Stage } from '../stage.ts';

type Field = 'title' | 'status' | 'severity' | 'milestone' | 'crash';
export type Values = Readonly<Record<Field, string>>;
const fields: readonly Field[] = ['title', 'status', 'severity', 'milestone', 'crash'];

/** What people did last to the fields of pairs, as somebody sees it who watches both sides. */
export interface Edits {
  /** People do something at one moment. */
  watch(act: () => void): void;
  /** A cycle ended that began at that time: what both sides showed alike long before is known to the bridge. */
  seen(since: number): void;
  /** The bridge wrote to an issue of which its last read showed these values, just after people had changed others. */
  overwritten(issue: number, read: Values): void;
  /** What people did last may be overruled from now on, as a side lost it, or nobody can know about it. */
  forget(): void;
  /** I3: what people did last stands on both sides, or a person is asked. */
  violations(links: readonly Link[]): readonly string[];
}

/**
 * The last value that people gave, where nothing else competes with it: the bridge knew that both sides agreed when they
 * gave it, and nobody gave another one before both agreed again.
 */
interface Last {
  readonly value: string;
  readonly on: Side;
}

/** A tracker that went back gives the number of a bug that it lost to another one, which gets another issue. */
const keyOf = (bug: number | null, issue: number | null, field: Field): string => `${bug} ${issue} ${field}`;

/** Lists may be this late. */
const lagMs = 6_000;

export function editsOn(world: Stage): Edits {
  const last = new Map<string, Last | null>();
  /** When people changed a field that the bridge may not have seen alike on both sides since. */
  const open = new Map<string, number>();
  /** When each bug was hidden for the last time, and since when the bridge would know that it is shown again. */
  const hiddenAt = new Map<number, number>();
  let lookedAt = 0;
  /** What had not crossed when the bug was hidden is taken back with the issue. */
  const takeBack = (): void => {
    const { bugs, issues } = shownOn(world);
    for (const [bug, issue] of pairs(world)) {
      const isWithdrawn = (hiddenAt.get(bug) ?? 0) + lagMs >= lookedAt && showsWithdrawal(world, issue);
      if (!isWithdrawn && !isHidden(world, { bug: bugId(bug) })) continue;
      for (const field of fields) {
        const key = keyOf(bug, issue, field);
        if (last.get(key)?.on === 'github' && bugs.get(bug)?.[field] !== issues.get(issue)?.[field])
          last.set(key, null);
      }
    }
  };
  const noteHidden = (): void => {
    for (const { id, groups } of world.tracker.bugs()) if (groups.length > 0) hiddenAt.set(id, world.clock.now());
  };
  return {
    watch(act) {
      noteHidden();
      const before = shownOn(world);
      const given = givenOn(world);
      const ended = new Map(pairs(world).map(([bug, issue]) => [bug, endedOn(world, bug, issue)]));
      const refused = attempted(act);
      const after = shownOn(world);
      for (const [bug, issue] of pairs(world))
        for (const field of fields) {
          const key = keyOf(bug, issue, field);
          const was = { tracker: before.bugs.get(bug)?.[field], github: before.issues.get(issue)?.[field] };
          const is = { tracker: after.bugs.get(bug)?.[field], github: after.issues.get(issue)?.[field] };
          for (const on of ['tracker', 'github'] as const) {
            if (was[on] === undefined || is[on] === undefined) continue;
            // Who takes a value away and gives it again competes with the other side, too.
            const isGivenAgain =
              (on === 'github' && field === 'severity' && givenOn(world).get(issue) !== given.get(issue)) ||
              (field === 'status' && endedOn(world, bug, issue)[on] !== ended.get(bug)?.[on]);
            if (was[on] === is[on] && !isGivenAgain) continue;
            // What people change on an issue that shows a withdrawal does not cross.
            const isOnNeutral = on === 'github' && showsWithdrawal(world, issue);
            const isClear = was.tracker === was.github && !isOnNeutral && !open.has(key);
            const value = field === 'severity' ? addedTo(was[on], is[on]) : is[on];
            last.set(key, isClear && was[on] !== is[on] && value !== undefined ? { value, on } : null);
            open.set(key, world.clock.now());
          }
        }
      noteHidden();
      takeBack();
      if (refused !== null) throw refused;
    },
    seen(since) {
      takeBack();
      lookedAt = since;
      const { bugs, issues } = shownOn(world);
      for (const [bug, issue] of pairs(world))
        for (const field of fields) {
          const key = keyOf(bug, issue, field);
          const at = open.get(key) ?? since;
          const isAlike = bugs.get(bug)?.[field] === issues.get(issue)?.[field];
          if (at + lagMs < since && isAlike && (field !== 'status' || isEndedAlike(world, bug, issue)))
            open.delete(key);
        }
    },
    overwritten(issue, read) {
      const now = shownOn(world).issues.get(issue);
      for (const [bug] of pairs(world).filter((pair) => pair[1] === issue))
        for (const field of fields) {
          const key = keyOf(bug, issue, field);
          const given = last.get(key);
          if (given?.on === 'github' && given.value !== read[field] && given.value !== now?.[field])
            last.set(key, null);
        }
    },
    forget() {
      last.clear();
    },
    violations(links) {
      const { bugs, issues } = shownOn(world);
      return links.flatMap((link) => {
        const [bug, issue] = [bugs.get(link.bug ?? 0), issues.get(link.issue ?? 0)];
        if (link.state !== 'live' || bug === undefined || issue === undefined || isHidden(world, link)) return [];
        return fields.flatMap((field) => {
          const given = last.get(keyOf(link.bug, link.issue, field)) ?? null;
          if (given === null || isAsked(world, link, field)) return [];
          if (bug[field] === given.value && issue[field] === given.value) return [];
          return [
            `I3: people gave bug ${link.bug} and issue ${link.issue} the ${field} ${given.value} on ${given.on}, and nobody took it back: ${bug[field]} / ${issue[field]}`,
          ];
        });
      });
    },
  };
}

export const isHidden = ({ tracker }: Stage, { bug }: Pick<Link, 'bug'>): boolean =>
  (tracker.bug(bug ?? 0)?.groups.length ?? 0) > 0;

/** Whether the bridge asks a person about the field. */
export const isAsked = ({ store }: Stage, { id }: Link, field: Field): boolean =>
  store.findings
    .ofLink(id)
    .conflicts.some((each) => each.kept === null && each.field === (field === 'crash' ? 'keywords' : field));

/** A withdrawn issue of people keeps its title. */
export function showsWithdrawal({ github }: Stage, number: number): boolean {
  const issue = github.issue(repo, number);
  return / is not public$/u.test(issue?.title ?? '') || / is not public/u.test(issue?.body ?? '');
}

/** Of several labels the new one counts; a field that is never empty takes its label back. */
function addedTo(was: string, is: string): string | undefined {
  const [added, ...more] = is.split(',').filter((each) => each !== '' && !was.split(',').includes(each));
  return more.length === 0 ? added : undefined;
}

/** How both ends were closed: who closes one in another way means that it is closed, whoever closed it before. */
const endedOn = ({ tracker, github }: Stage, bug: number, issue: number): Readonly<Record<Side, string>> => ({
  tracker: tracker.bug(bug)?.resolution ?? '',
  github: github.issue(repo, issue)?.stateReason ?? '',
});

/** A withdrawal closes an issue, too: how people closed its bug has yet to cross then. */
function isEndedAlike(world: Stage, bug: number, issue: number): boolean {
  const { tracker, github } = endedOn(world, bug, issue);
  return github === '' || tracker === '' || (tracker === 'FIXED') === (github === 'completed');
}

/** How often labels were given to each issue so far. */
function givenOn({ github }: Stage): ReadonlyMap<number, number> {
  const issues = [...(github.state.repos.get(repo)?.issues ?? [])];
  return new Map(
    issues.map(([number, { events }]) => [number, events.filter(({ action }) => action === 'labeled').length]),
  );
}

function attempted(act: () => void): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return error;
  }
}

/** The fields of both sides in the same words. */
export function shownOn({ tracker, github }: Stage): Readonly<Record<'bugs' | 'issues', ReadonlyMap<number, Values>>> {
  const bugs = tracker.bugs().map(
    (bug) =>
      [
        bug.id,
        {
          title: canonicalTitle(bug.summary),
          status: bug.resolution === '' ? 'open' : 'closed',
          severity: bug.severity,
          milestone: bug.target_milestone,
          crash: String(bug.keywords.includes('crash')),
        },
      ] as const,
  );
  const issues = github.issues(repo).map(
    (issue) =>
      [
        issue.number,
        {
          title: canonicalTitle(issue.title),
          status: issue.state,
          severity: issue.labels.flatMap((label) => /^severity: (.*)$/u.exec(label)?.[1] ?? []).join(),
          milestone: issue.milestone ?? '---',
          crash: String(issue.labels.includes('crash')),
        },
      ] as const,
  );
  return { bugs: new Map(bugs), issues: new Map(issues) };
}

/** A restored tracker gives the number of a bug that it lost to another one: the issue of the lost bug has no bug. */
const isOfLostBug = ({ links }: Stage['store'], issue: number): boolean =>
  / as that side went back$/u.test(links.byIssue(repo, issueNumber(issue))?.reason ?? '');

/** Bugs and issues that belong together, as the bridge wrote on them. */
export function pairs({ tracker, github, store }: Stage): readonly (readonly [bug: number, issue: number])[] {
  const ofOurIssues = github
    .issues(repo)
    .filter(({ author, number }) => author === bot && !isOfLostBug(store, number))
    .flatMap(({ number }) => {
      const record = github.state.repos.get(repo)?.issues.get(number);
      // People may have written over the marker.
      const bug = / bug=(\d+) -->\s*$/u.exec(record?.lastEdit?.first ?? record?.body ?? '')?.[1];
      return bug === undefined ? [] : [[Number(bug), number] as const];
    });
  const ofOurBugs = tracker
    .bugs()
    .filter(({ creator }) => creator.startsWith('bridge'))
    .flatMap(({ id }) => {
      const first = tracker.commentsOf(id)[0]?.text.split('\n', 1)[0] ?? '';
      const issue = /\(https:\/\/github\.com\/acme\/widget\/issues\/(\d+)\):$/u.exec(first)?.[1];
      return issue === undefined ? [] : [[id, Number(issue)] as const];
    });
  return [...ofOurIssues, ...ofOurBugs];
}
