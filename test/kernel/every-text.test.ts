import { afterAll, describe, expect, test } from 'vitest';
import { setAsideOf } from '../../src/explain/set-aside.ts';
import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import type { AuditedPair } from '../../src/model/reports/audit.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { onStep, withSteps } from '../support/faults/steps.ts';
import { onPoisonedStep } from '../support/faults/watched-steps.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { some } from '../tiers/depth.ts';

/** I11, for the commands that only look: a pair of which a step fails costs them nothing but what they say of it. */
const copy = withSteps(['rules', 'sync']);
afterAll(() => {
  onStep(null);
  copy.remove();
});
const { previewOf }: typeof import('../../src/sync/preview.ts') = await import(`${copy.folder}/sync/preview.ts`);
const { audit, auditStore }: typeof import('../../src/sync/withdraw/list-published.ts') = await import(
  `${copy.folder}/sync/withdraw/list-published.ts`
);

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous', attachments: branchRule };

interface World {
  readonly of: Stage;
  readonly context: Context;
}

/** Three pairs with news on both sides, of which that of bug 2 is the poisoned one. */
async function world(): Promise<World> {
  const of = stage();
  const { tracker, github, clock } = of;
  const limits = { ...testLimits, brakeShare: 1 };
  for (const bug of [1, 2, 3]) {
    tracker.as('alice').file({ summary: `Bug ${bug}`, description: `About ${bug}.` });
    tracker.as('alice').attach(bug, { bytes: Buffer.from('x'), file_name: `${bug}.bin`, comment: `File ${bug}` });
  }
  for (let turn = 0; turn < 3; turn += 1) {
    clock.advance(61_000);
    await cycle(contextOn(of, route, { limits }), { isForced: false });
  }
  for (const bug of [1, 2, 3]) {
    const issue = of.store.links.byBug(bugId(bug))?.issue ?? 0;
    tracker.as('alice').change(bug, { severity: 'major', comment: { body: `More of ${bug}` } });
    github.as('mona').comment(repo, issue, `On GitHub: ${bug}`);
    github.as('mona').close(repo, issue);
  }
  clock.advance(61_000);
  return { of, context: contextOn(of, route, { limits }) };
}

type Look = (world: World) => Promise<readonly string[]>;

const looks: Readonly<Record<string, Look>> = {
  async plan({ of, context }) {
    const { operations } = await previewOf(context);
    const aside = setAsideOf(of.store, route).map(({ about }) => `set aside: ${about}`);
    const printed = operations.map(
      ({ about, kind, ...rest }) => `${about}: ${kind} ${'text' in rest ? rest.text : ''}`,
    );
    return [...printed, ...aside];
  },
  async audit({ of: { store }, context: { anonymousReader, files, tracker, watch } }) {
    const pairs: AuditedPair[] = [];
    for await (const pair of audit({ route, store, watch, against: anonymousReader })) pairs.push(pair);
    pairs.push(...(await auditStore({ route, store, watch, files, anonymousReader, tracker })));
    return pairs.map(({ bug, published, unjudged }) => `bug ${bug} ${unjudged ?? published.map(({ name }) => name)}`);
  },
};

/** What a look says of the other pairs, and the steps on the poisoned one. */
async function lookAt(look: Look, listen: (step: string) => void) {
  const found = await world();
  onPoisonedStep(found.of.store, listen);
  const lines = await look(found).finally(() => onStep(null));
  const isPoisoned = (line: string): boolean => /\bbug 2\b|acme\/widget#2\b/u.test(line);
  return { others: lines.filter((line) => !isPoisoned(line)).sort(), poisoned: lines.filter(isPoisoned) };
}

describe.each(Object.entries(looks))('%s', async (_command, look) => {
  const steps = new Set<string>();
  const whole = await lookAt(look, (step) => steps.add(step));

  test('meets steps on one pair', () => {
    expect(steps.size).toBeGreaterThan(5);
    expect(whole.others.length).toBeGreaterThan(1);
  });

  test.each(some([...steps].toSorted(), 6))('a throw in %s', async (step) => {
    let isMet = false;
    const { others, poisoned } = await lookAt(look, (each) => {
      if (each !== step) return;
      isMet = true;
      throw new RangeError('a fault of ours');
    });
    expect(isMet).toBe(true);
    expect(others).toEqual(whole.others);
    expect(poisoned.join('\n')).not.toBe(whole.poisoned.join('\n'));
  });
});
