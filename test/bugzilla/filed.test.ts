import { describe, expect, test } from 'vitest';
import { stage } from '../simulation/stage.ts';
import { edgesOf } from '../support/edges.ts';
import { widgetRoute } from '../support/routes.ts';

const draft = {
  ...{ product: 'Widget', summary: 'It fails', description: 'Words', seeAlso: null, keywords: ['crash'] },
  values: { component: 'Core', version: '1.0', severity: 'major' },
};

/** What a new bug is answered with that people change before it is read back, and what a poll then shows. */
async function filed(
  change: Parameters<ReturnType<ReturnType<typeof stage>['tracker']['as']>['change']>[1] | null,
  afterMs: number,
) {
  const world = stage();
  const paths: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const answer = await world.servers.tracker(input, init);
    paths.push(`${init?.method} ${new URL(String(input)).pathname}`);
    if (init?.method !== 'POST' || change === null) return answer;
    world.clock.advance(afterMs);
    world.tracker.as('alice').change(1, change);
    return answer;
  };
  const servers = { ...world.servers, tracker: send };
  const tracker = edgesOf({ servers, worlds: world, clock: world.clock, user: 'bridge', bot: 'bugferry-bot' }).tracker(
    widgetRoute,
  );
  const outcome = await tracker.create(draft);
  if (outcome.kind !== 'applied') throw new Error(outcome.kind);
  const { summary, status, keywords, values, assignee } = outcome.item;
  const [shown] = await tracker.bugs([1]);
  return {
    answered: { summary, status, keywords, severity: values.severity, assignee: assignee?.login },
    shown,
    paths,
  };
}

const asDrafted = { summary: 'It fails', status: 'CONFIRMED', keywords: ['crash'], severity: 'major' };

describe('a new bug', () => {
  test('is read back with one request', async () => {
    const { answered, paths } = await filed(null, 0);
    expect(answered).toMatchObject(asDrafted);
    expect(paths.filter((path) => path.startsWith('GET /rest/bug/1'))).toHaveLength(2);
    expect(paths.filter((path) => path.endsWith('/history'))).toEqual([]);
  });

  test.each([
    ['a title', { summary: 'It fails badly' }],
    ['a status', { status: 'RESOLVED', resolution: 'FIXED' }],
    ['values and lists', { severity: 'minor', keywords: { add: ['regression'], remove: ['crash'] } }],
    ['somebody assigned', { assigned_to: 'alice@example.test' }],
  ] as const)(
    'is answered as it was filed: %s that people changed before it was read back is news',
    async (_what, change) => {
      const untouched = await filed(null, 0);
      const { answered, shown } = await filed(change, 5_000);
      expect(answered).toEqual(untouched.answered);
      expect(shown).not.toMatchObject(untouched.answered);
    },
  );

  test.each([
    ['title', { summary: 'It fails badly' }],
    ['keywords', { keywords: { add: ['regression'] } }],
    ['lack of a keyword', { keywords: { remove: ['crash'] } }],
  ] as const)('is so too in the second in which it was filed, where its %s shows it', async (_what, change) => {
    expect((await filed(change, 0)).answered).toMatchObject(asDrafted);
  });
});
