import { expect, onTestFinished, test } from 'vitest';
import { openHouse } from '../../support/bugferry.ts';

const repo = 'acme/widget';
const words = 'ünï ß 中文 🦊';
/** Its columns have no room for the last one. */
const kept = 'ünï ß 中文 [U+1F98A]';

test('every character crosses both ways on a tracker that reads bodies as Latin-1', async () => {
  const house = await openHouse(() => {}, { installation: { version: '5.3' } });
  onTestFinished(() => house.close());
  const mona = house.github.as('mona');
  const issue = mona.open(repo, { title: `Title ${words}`, body: `Body ${words}` });
  mona.comment(repo, issue, `Comment ${words}`);
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.tracker.bug(1)?.summary).toBe(`Title ${kept}`);
  expect(house.tracker.commentsOf(1).map(({ text }) => text)).toEqual([
    expect.stringContaining(`Body ${words}`),
    expect.stringContaining(`Comment ${words}`),
  ]);
  mona.edit(repo, issue, { title: `Renamed ${words}` });
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.tracker.bug(1)?.summary).toBe(`Renamed ${kept}`);
  house.tracker.as('alice').comment(1, `Answer ${words}`);
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.github.commentsOf(repo, issue).at(-1)?.body).toContain(`Answer ${words}`);
  expect(await house.run('verify')).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 pair compared, no differences'),
  });
});
