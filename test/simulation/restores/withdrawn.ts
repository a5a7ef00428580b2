import type { Context } from '../../../src/kernel/context.ts';
import { bugId } from '../../../src/model/ids.ts';
import { isExposed } from '../../../src/model/reports/audit.ts';
import type { Route } from '../../../src/model/route.ts';
import { unwatched } from '../../../src/model/runtime.ts';
import { audit } from '../../../src/sync/withdraw/list-published.ts';
import { bot, repo, type Stage } from '../stage.ts';
import { isHidden, pairs } from './edits.ts';

/** The titles that withdrawn issues of people kept when something came back. */
export interface KeptTitles {
  /** Something is about to come back. */
  note(): void;
  /** People did something: once its bug is shown, an issue takes the title of both sides. */
  forget(): void;
  /** I3: a withdrawn issue keeps the title that people gave it. */
  violations(): readonly string[];
}

const isNeutral = (title: string): boolean => / is not public$/u.test(title);

export function keptTitles(world: Stage): KeptTitles {
  const kept = new Map<number, number>();
  const isOfHidden = (bug: number): boolean => isHidden(world, { bug: bugId(bug) });
  return {
    note() {
      for (const [bug, number] of pairs(world)) {
        const issue = world.github.issue(repo, number);
        const isWithdrawn = issue?.isLocked === true && / is not public\.\*/u.test(issue.body);
        if (isWithdrawn && issue.author !== bot && !isNeutral(issue.title) && isOfHidden(bug)) kept.set(number, bug);
      }
    },
    forget() {
      for (const [number, bug] of kept) if (!isOfHidden(bug)) kept.delete(number);
    },
    violations: () =>
      [...kept].flatMap(([number, bug]) => {
        const title = world.github.issue(repo, number)?.title ?? '';
        return isNeutral(title) ? [`I3: issue ${number} of people is called "${title}", as bug ${bug} is hidden`] : [];
      }),
  };
}

/** I9: once all is quiet, an audit names nothing that the next cycle has to withdraw. */
export async function falseAlarms({ store }: Stage, route: Route): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const pair of audit({ route, store, watch: unwatched, against: null }))
    if (isExposed(pair)) found.push(`I9: the audit says that bug ${pair.bug} is exposed: ${pair.why}`);
  return found;
}

/** A creation whose item is known is in doubt for a cycle, not for the hour that an import may take. */
export const foundButInDoubt = ({ store, route }: Pick<Context, 'store' | 'route'>): readonly string[] =>
  [...store.outbox.eachSent(route.name)].flatMap(({ operation }) => {
    const link = operation.kind === 'create' ? store.links.byId(operation.link) : null;
    return link !== null && link.bug !== null && link.issue !== null
      ? [`I4: the creation of the pair of bug ${link.bug} and issue ${link.issue} is in doubt still`]
      : [];
  });
