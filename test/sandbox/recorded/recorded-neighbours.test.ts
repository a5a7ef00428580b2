import { describe, expect, it } from 'vitest';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { createTrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type Neighbour, neighbours } from './recorded-neighbours.ts';

async function answerTo({ caller, request, body }: Neighbour): Promise<{ status: number; body: unknown }> {
  const world = createTrackerWorld({ now: () => Date.UTC(2026, 10, 21, 9, 40), url: 'http://tracker.example.test' });
  loadTrackerWorld(world);
  world.as('alice').file({ summary: 'its own', version: '1.0', description: 'd' });
  const [method = '', path = ''] = request.split(/ (.*)/s);
  const address = new URL(path, world.url);
  if (caller !== 'nobody') address.searchParams.set('api_key', world.user(caller).apiKey);
  const init = {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const answer = await trackerServer(world).request(address.href, init);
  return { status: answer.status, body: await answer.json() };
}

describe('beside the recordings, the sandbox tracker answers as it was measured', () => {
  it.each(neighbours.map((row) => ({ ...row, sent: JSON.stringify(row.body)?.slice(0, 80) ?? '' })))(
    '$caller: $request $sent',
    async (row) => {
      const expected = typeof row.answer === 'number' ? { error: true, code: row.answer } : row.answer;
      expect(await answerTo(row)).toMatchObject({ status: row.status, body: expected });
    },
  );
});
