import { maySee } from '../../../src/sandbox/tracker/installation/users.ts';
import type { Random } from '../../support/random.ts';
import { publicWords } from '../canaries.ts';
import type { Stage } from '../stage.ts';

/** What people hide while bugs move, what breaks meanwhile, and what must not be seen. */
export interface Hiding {
  readonly acts: readonly (() => void)[];
  /** A cycle begins. */
  begin(): void;
  /** I9: what the cycle sent to GitHub, although it was hidden before. */
  sent(): readonly string[];
  /** I9: what is hidden and stands on GitHub once all is quiet. */
  stands(): readonly string[];
  /** By how much the clock of the bridge is wrong. */
  readonly skewMs: number;
  /** Bugs that were hidden at some time: what people write on their issues meanwhile stays there. */
  readonly onceHidden: ReadonlySet<number>;
  /** Everything works and is on time again. */
  mend(): void;
  /** Everything is shown again. */
  show(): void;
}

/** Nobody hides anything, and nothing breaks. */
export const nothingHidden: Hiding = {
  acts: [],
  begin: () => undefined,
  sent: () => [],
  stands: () => [],
  skewMs: 0,
  onceHidden: new Set(),
  mend: () => undefined,
  show: () => undefined,
};

const [hour, day] = [3_600_000, 86_400_000];
const skews = [0, 0, 2_000, -2_000, hour, -hour, day, -day, 400 * day, -400 * day];
const writes = new Set(['create', 'update', 'comment', 'rewrite']);

/** @param text makes words that occur nowhere else */
export function hidingIn(world: Stage, draw: Random, repos: readonly string[], text: (what: string) => string): Hiding {
  const { tracker, github, clock } = world;
  const insider = tracker.as('bridge-insider');
  const since = new Map<string, number>();
  const broken = breaking(world);
  let began = { at: 0, calls: 0 };
  let skewMs = 0;
  const onceHidden = new Set<number>();
  const some = () => draw.pick(tracker.bugs());
  const showBug = ({ id, groups }: { readonly id: number; readonly groups: readonly string[] }) => {
    if (groups.length > 0) insider.change(id, { groups: { remove: groups } });
  };
  const flip = (id: number, isPrivate: boolean, bug: number) =>
    insider.change(bug, { comment_is_private: { [id]: isPrivate } });
  const hidden = (): ReadonlyMap<string, number> => {
    const seen = publicWords(world, (bug) => maySee(null, bug));
    const all = tracker
      .bugs()
      .flatMap(({ id, summary }) => [summary, ...tracker.commentsOf(id).map((each) => each.text)]);
    const words = new Set(
      all.flatMap((each) => each.match(/(?:Filed|Titled|Said on the tracker|In private) no \d+\./gu) ?? []),
    );
    for (const each of since.keys()) if (!words.has(each) || seen.includes(each)) since.delete(each);
    for (const each of words) if (!seen.includes(each) && !since.has(each)) since.set(each, clock.now());
    return since;
  };
  const acts: readonly (() => void)[] = [
    ...Array.from({ length: 3 }, () => () => {
      const bug = some();
      if (bug.groups.length > 0) showBug(bug);
      else {
        insider.change(bug.id, { groups: { add: ['security'] } });
        onceHidden.add(bug.id);
      }
    }),
    () => void insider.comment(some().id, text('In private'), { isPrivate: true }),
    () => {
      const comment = draw.pick(tracker.commentsOf(some().id).concat());
      flip(comment.id, !comment.isPrivate, comment.bug);
    },
    () => broken.break(draw.chance(0.5) ? some().id : null),
    () => {
      skewMs = draw.pick(skews);
    },
  ];
  const counted = acts.map((act) => () => {
    try {
      act();
    } finally {
      hidden();
    }
  });
  const words = (args: readonly unknown[]): string => JSON.stringify(args.slice(1).length > 0 ? args.slice(1) : args);
  return {
    acts: counted,
    begin() {
      hidden();
      began = { at: clock.now(), calls: world.calls.length };
    },
    sent() {
      const old = [...hidden()].filter(([, at]) => at + 1_000 < began.at).map(([each]) => each);
      const sent = world.calls
        .slice(began.calls)
        .filter(({ side, method }) => side === 'github' && writes.has(method))
        .map(({ args }) => words(args));
      return old
        .filter((each) => sent.some((all) => all.includes(each)))
        .map((each) => `I9: "${each}" was sent, and hidden before`);
    },
    stands() {
      const shown = JSON.stringify(
        repos.flatMap((of) => github.issues(of).map((issue) => [issue, github.commentsOf(of, issue.number)])),
      );
      return [...hidden().keys()]
        .filter((each) => shown.includes(each))
        .map((each) => `I9: "${each}" is hidden and stands on GitHub`);
    },
    onceHidden,
    get skewMs() {
      return skewMs;
    },
    mend() {
      skewMs = 0;
      broken.break(null);
    },
    show() {
      for (const bug of tracker.bugs()) {
        showBug(bug);
        for (const { id, isPrivate } of tracker.commentsOf(bug.id)) if (isPrivate) flip(id, false, bug.id);
      }
    },
  };
}

/** The tracker fails on each answer with one bug in it, whoever asks. */
function breaking({ servers }: Stage): { break(bug: number | null): void } {
  const whole = servers.tracker;
  let broken: number | null = null;
  const tracker: typeof fetch = async (input, init) => {
    const answer = await whole(input, init);
    if (broken === null || (init?.method ?? 'GET') !== 'GET') return answer;
    const body = await answer.clone().text();
    const has = new RegExp(`"id":${broken},|/bug/${broken}(?:[/?]|$)`, 'u');
    return has.test(body) && /"(?:summary|bugs)"/u.test(body)
      ? new Response('<h1>Error</h1>', { status: 500 })
      : answer;
  };
  Object.assign(servers, { tracker });
  return {
    break(bug) {
      broken = bug;
    },
  };
}
