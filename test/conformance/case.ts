import type { Need } from './needs.ts';
import type { Tracker } from './tracker.ts';

/** One observation. It makes what it needs, looks, and throws `Differs` or `NotOffered` when it cannot be content. */
export interface Case {
  /** The section of the interface that it observes, such as `4.5`. */
  readonly section: string;
  readonly name: string;
  /** Ids of the rules that it covers. */
  readonly rules: readonly string[];
  /** What the tracker or the keys must have; without it the case is not offered. */
  readonly needs?: readonly Need[];
  /** @returns a note when the tracker has a choice, such as whether it does as written or as measured */
  readonly run: (tracker: Tracker) => Promise<string | undefined>;
}

type Run = (tracker: Tracker) => Promise<unknown>;

/** Cases of one section; a rule's id may leave out the section: `/alias` is `4.5/alias` there. */
export function section(name: string) {
  return (title: string, rules: readonly string[], run: Run, needs: readonly Need[] = []): Case => ({
    section: name,
    name: title,
    rules: rules.map((rule) => (rule.startsWith('/') ? `${name}${rule}` : rule)),
    needs,
    run: async (tracker) => {
      const remark = await run(tracker);
      return typeof remark === 'string' ? remark : undefined;
    },
  });
}
