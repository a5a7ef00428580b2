import { expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import { openStore } from '../../src/store/open.ts';
import { halfLink } from '../contract/store/samples.ts';
import { widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/** The contact of a route, and a route that the configuration switches off: it has no work and needs nobody. */
function statuses() {
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

test('a status names the contact, and a route that is off has no work', () => {
  expect(statuses()).toEqual(expected);
});
