import type { Link } from '../../src/model/link.ts';
import type { Route } from '../../src/model/route.ts';
import { bot, repo, type Stage } from './stage.ts';

/**
 * In a third of the seeds, of which none has pull requests, bugs get the address of their issue together with the next
 * change.
 */
const isQuiet = (seed: number): boolean => seed % 3 === 2;

export const withMails = (seed: number, route: Route): Route =>
  isQuiet(seed) ? { ...route, pointer: 'with-next-change' } : route;

type Person = ReturnType<Stage['github']['as']>;

/** Remembers which issues anybody on GitHub changed or wrote on. Call it before anybody does. */
export function keepTouched({ github }: Stage): ReadonlySet<number> {
  const touched = new Set<number>();
  const { as } = github;
  const shown = () =>
    new Map(github.issues(repo).map(({ number, labels, milestone }) => [number, JSON.stringify([labels, milestone])]));
  // Whoever renames a label or a milestone changes all issues that carry it.
  const touchChanged = <T>(act: () => T): T => {
    const before = shown();
    try {
      return act();
    } finally {
      for (const [number, after] of shown()) if (before.get(number) !== after) touched.add(number);
    }
  };
  const watched = (person: Person): Person =>
    Object.assign(
      {},
      person,
      ...Object.entries(person).map(([name, act]: [string, (...args: readonly unknown[]) => unknown]) => ({
        [name]: (...args: readonly unknown[]) => {
          if (args[0] !== repo) return act(...args);
          if (typeof args[1] === 'number') touched.add(args[1]);
          return touchChanged(() => act(...args));
        },
      })),
    );
  Object.assign(github, {
    as: (login: string) => (login === bot ? as.call(github, login) : watched(as.call(github, login))),
  });
  return touched;
}

const refOf = (of: unknown): unknown => (typeof of === 'object' && of !== null && 'id' in of ? of.id : of);

/** Everything that is a mail to those who follow a bug. */
const mailing: readonly string[] = ['update', 'comment', 'attach'];

/** I15: a bug whose issue nobody on GitHub did anything with sends no mail, whatever happens on the tracker. */
export function mailViolations(
  { calls, github }: Stage,
  touched: ReadonlySet<number>,
  links: readonly Link[],
  seed: number,
): readonly string[] {
  if (!isQuiet(seed)) return [];
  const isOurs = (issue: number): boolean => github.issue(repo, issue)?.author === bot;
  const quiet = links.filter(
    ({ bug, issue }) => bug !== null && issue !== null && isOurs(issue) && !touched.has(issue),
  );
  return quiet.flatMap(({ bug, issue }) =>
    calls.flatMap(({ side, method, args }) =>
      side === 'tracker' && mailing.includes(method) && refOf(args[0]) === bug
        ? [`I15: ${method} ${JSON.stringify(args[1])} on bug ${bug}, whose issue ${issue} nobody touched`]
        : [],
    ),
  );
}
