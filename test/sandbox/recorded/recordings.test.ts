import { describe, expect, it } from 'vitest';
import { allRecorded, recorded } from '../../bugzilla/api/recorded.ts';
import { differences } from './difference.ts';
import { playScenario } from './play.ts';
import { recordings } from './recorded.ts';

/**
 * Exchanges with real servers are played to the sandbox: status, content type, code, body shape, messages, created numbers, and what of
 * the values does not depend on the hour, must be the same. The plays of a scenario share a world, so an earlier play of the scenario
 * may have caused a difference.
 */
const all = await Promise.all(
  recordings.map(async ({ version, scenarios, notPlayable }) => {
    const played = (await Promise.all(scenarios.map((scenario) => playScenario(scenario, version)))).flat();
    return { version, played, notPlayable };
  }),
);

describe.each(all)('the sandbox tracker answers as a real $version server did', ({ version, played, notPlayable }) => {
  it.each(played)('to $caller: $name', ({ differences }) => {
    expect(differences).toEqual([]);
  });

  it('and every recording is either played or named as not playable, never both', () => {
    const isPlayed = new Set(played.map(({ name }) => name));
    const names = allRecorded(version).map(({ name }) => name);
    expect(names.filter((name) => isPlayed.has(name) === name in notPlayable)).toEqual([]);
  });
});

describe('an answer that is wrong is noticed', () => {
  const differ = (name: string, now: number, spoil: (key: string, value: unknown) => unknown): boolean => {
    const exchange = recorded(name);
    const { status, headers, body } = exchange.response;
    const spoilt: unknown = JSON.parse(JSON.stringify(body), spoil);
    const answer = { status, contentType: headers['content-type'] ?? null, body: spoilt };
    return differences(exchange, answer, { version: '5.2', now, isClocked: false, isShapeOnly: false }).length > 0;
  };

  it.each<readonly [name: string, field: string, value: unknown]>([
    ['create_ok', 'id', 94],
    ['comment_create_work_time', 'id', 1],
    ['attach_create_ok', '0', 14],
    ['create_bad_product', 'message', 'There is no product Nope.'],
  ])('%s with another %s', (name, field, value) => {
    expect(differ(name, 0, (_key, old) => old)).toBe(false);
    expect(differ(name, 0, (key, old) => (key === field ? value : old))).toBe(true);
  });

  it('a token of another second, or of another form', () => {
    const token = '1795253898-R4mF7VTrb7-IeQDDdrrdE1sC5xd00RfgxzuEO0iVX9w';
    const withToken = (wanted: string) =>
      differ('create_ok_then_get', 1_795_253_898_500, (key, old) => (key === 'update_token' ? wanted : old));
    expect(
      [token, token.replace('R4', 'X9'), token.replace('8-', '7-'), token.slice(0, -1), '1795253898-1-2'].map(
        withToken,
      ),
    ).toEqual([...[false, false], ...[true, true, true]]);
  });
});
