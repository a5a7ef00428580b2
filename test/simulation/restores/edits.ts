import { bugId, type Side } from '../../../src/model/ids.ts';
import type { Link } from '../../../src/model/link.ts';
import { canonicalTitle } from '../../../src/text/canonical.ts';
import { bot, repo, type Stage } from '../stage.ts';

type Field = 'title' | 'status' | 'severity' | 'milestone' | 'crash';
type Values = Readonly<Record<Field, string>>;
const fields: readonly Field[] = ['title', 'status', 'severity', 'milestone', 'crash'];

/** What people did last to the fields of pairs, as somebody sees it who watches both sides. */
export interface Edits {
  /** People do something at one moment. */
  watch(act: () => void): void;
  /** What people did last may be overruled from now on, as a side lost it, or nobody can know about it. */
  forget(): void;
  /** I3: what people did last stands on both sides, or a person is asked. */
  violations(links: readonly Link[]): readonly string[];
}

/**
 * The last value that people gave, where nothing else competes with it: both sides agreed when they gave it, and nobody
 * gave another one before both agreed again.
 */
interface Last {
  readonly value: string;
  readonly on: Side;
}

export function editsOn(world: Stage): Edits {
  const last = new Map<string, Last | null>();
  return {
    watch(act) {
      const before = shownOn(world);
      const refused = attempted(act);
      const after = shownOn(world);
      for (const [bug, issue] of pairs(world))
        for (const field of fields) {
          const was = { tracker: before.bugs.get(bug)?.[field], github: before.issues.get(issue)?.[field] };
          const is = { tracker: after.bugs.get(bug)?.[field], github: after.issues.get(issue)?.[field] };
          for (const on of ['tracker', 'github'] as const) {
            if (was[on] === undefined || is[on] === undefined || was[on] === is[on]) continue;
            // What people change on an issue that shows a withdrawal does not cross.
            const isOnNeutral = on === 'github' && / is not public$/u.test(String(before.issues.get(issue)?.title));
            const isClear = was.tracker === was.github && !isOnNeutral;
            last.set(`${bug} ${field}`, isClear ? { value: String(is[on]), on } : null);
          }
          // What had not crossed when the bug was hidden is taken back with the issue.
          const isOnIssueOnly = last.get(`${bug} ${field}`)?.on === 'github' && is.tracker !== is.github;
          if (isOnIssueOnly && isHidden(world, { bug: bugId(bug) })) last.set(`${bug} ${field}`, null);
        }
      if (refused !== null) throw refused;
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
          const given = last.get(`${link.bug} ${field}`) ?? null;
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

/** Bugs and issues that belong together, as the bridge wrote on them. */
export function pairs({ tracker, github }: Stage): readonly (readonly [bug: number, issue: number])[] {
  const ofOurIssues = github
    .issues(repo)
    .filter(({ author }) => author === bot)
    .flatMap(({ number, body }) => {
      const bug = / bug=(\d+) -->\s*$/u.exec(body)?.[1];
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
