import { describe, expect, it } from 'vitest';
import { allRecorded } from '../../bugzilla/api/recorded.ts';
import { playScenario } from './play.ts';
import { differentByDecision, notPlayable, scenarios } from './recorded.ts';

/**
 * Exchanges with a real 5.2 server are played to the sandbox: status, content type, code, body shape, and what of the values does not
 * depend on the hour, must be the same. The plays of a scenario share a world, so an earlier play of the scenario may have caused a
 * difference.
 */
const played = (await Promise.all(scenarios.map(playScenario))).flat();

describe('the sandbox tracker answers as a real 5.2 server did', () => {
  it.each(played.filter(({ name }) => !(name in differentByDecision)))('to $caller: $name', ({ differences }) => {
    expect(differences).toEqual([]);
  });
});

describe('every recording has its place', () => {
  const names = allRecorded().map(({ name }) => name);
  const isPlayed = new Set(played.map(({ name }) => name));

  it('either played or named as not playable, never both', () => {
    expect(names.filter((name) => isPlayed.has(name) === name in notPlayable)).toEqual([]);
  });

  it('and what differs by decision does differ', () => {
    const alike = played.filter(({ name, differences }) => name in differentByDecision && differences.length === 0);
    expect(alike.map(({ name }) => name)).toEqual([]);
  });
});
