import { expect, test } from 'vitest';
import { openStage } from './stage.ts';

/** What GitHub added lately, and a server that differs in it. */
test.each([
  ['duplicate-original', /"number":\d+/u, '"number":99', 'no original'],
  ['reason-without-argument', /"DUPLICATE"/u, '"NOT_PLANNED"', 'NOT_PLANNED'],
  ['editor', /"login":"bridge"/u, '"login":"mona"', 'mona'],
  ['minimize-reasons', /"off-topic"/u, '"off_topic"', 'off_topic'],
  ['field-event', /"event":"issue_field_/u, '"event":"field_', 'no event'],
])('%s is as assumed, and a server that differs is found out', async (id, from, to, seen) => {
  expect(await openStage().try(id)).toMatchObject([{ id, verdict: 'as-assumed' }]);
  const stage = openStage();
  stage.plant = async (passing, response) => {
    if (passing.id !== id || response.status !== 200) return response;
    return new Response((await response.text()).replace(from, to), { status: 200, headers: response.headers });
  };
  const [result] = await stage.try(id);
  expect(result).toMatchObject({ id, verdict: 'differs', seen: expect.stringContaining(seen) });
});
