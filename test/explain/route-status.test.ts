import { expect, test } from 'vitest';
import * as built from '../../src/explain/route-status.ts';
import { openStore } from '../../src/store/open.ts';
import { halfLink } from '../contract/store/samples.ts';
import { type Fault, plant } from '../support/plant.ts';
import { widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { sample } from '../tiers/depth.ts';

/**
 * Whom to ask about a route, and a route that the configuration switches off: nothing of it waits, and nobody has to
 * act for it.
 */
function told({ statusOf }: typeof built) {
  const store = openStore(':memory:', { mode: 'write', now: () => 0, scrub });
  store.links.add({ ...halfLink(1), route: 'widget', repo: 'acme/widget', urgency: 'live' });
  const status = (change: object) => {
    const { isEnabled, contact, standing, links, lagMs, catchUpMs } = statusOf(
      store,
      { ...widgetRoute, ...change },
      { tracker: [], github: [{ windowMs: 60_000, pointsMax: 0.5, name: 'creations a minute' }] },
      0,
    );
    return {
      isEnabled,
      contact,
      standing,
      live: links.byState.live,
      wanting: links.wanting,
      isRead: lagMs !== null,
      waits: catchUpMs > 0,
    };
  };
  const seen = [status({}), status({ contact: 'ada@example.test' }), status({ isEnabled: false })];
  store.close();
  return seen;
}

const on = {
  isEnabled: true,
  contact: null,
  standing: 'not read lately',
  live: 1,
  wanting: 1,
  isRead: false,
  waits: true,
};
const expected = [
  on,
  { ...on, contact: 'ada@example.test' },
  { ...on, isEnabled: false, standing: 'off', wanting: 0, waits: false },
];

test('a status names whom to ask, and nothing of a route that is off waits', () => {
  expect(told(built)).toEqual(expected);
});

const faults: readonly (readonly [name: string, from: string, to: string])[] = [
  ['nobody is named', 'contact: route.contact,', 'contact: null,'],
  ['a route is on, whatever the configuration says', 'isEnabled: route.isEnabled,', 'isEnabled: true,'],
  ['what is switched off waits', 'route.isEnabled ? status : switchedOff(status)', 'status'],
  ['a route that is off has changes to check', 'links: { ...status.links, wanting: 0 },', ''],
];

test.each(
  sample(
    faults.map(([name, from, to]) => [name, { file: 'explain/route-status.ts', from, to } satisfies Fault] as const),
  ),
)('a planted fault is caught: %s', async (_name, fault) => {
  const planted = (await import(`${plant(fault)}/explain/route-status.ts`)) as typeof built;
  expect(told(planted)).not.toEqual(expected);
});
