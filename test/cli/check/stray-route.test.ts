import { expect, test } from 'vitest';
import { openHouse } from '../../support/bugferry.ts';

test('pairs of a route that was renamed are not forgotten in silence', async () => {
  const house = await openHouse(
    (tracker) => void tracker.as('alice').file({ summary: 'A problem', description: 'It fails.' }),
  );
  try {
    expect((await house.run('once')).err).not.toContain('The state holds pairs');
    house.configure((config) => {
      config.routes[0].name = 'other';
    });
    for (const command of ['once', 'status', 'audit', 'plan'])
      expect((await house.run(command)).err).toMatch(
        /The state holds pairs of route \S+, which the configuration does not have/u,
      );
  } finally {
    await house.close();
  }
});
