import { expect, onTestFinished, test } from 'vitest';
import { openHouse } from '../../support/bugferry.ts';

const repo = 'acme/widget';
const words = 'ünï ß 中文 🦊';

test('every character crosses both ways on a tracker that reads bodies as Latin-1', async () => {
  const house = await openHouse(() => {}, { installation: { bodies: 'latin-1' } });
  onTestFinished(() => house.close());
  const mona = house.github.as('mona');
  const issue = mona.open(repo, { title: `Title ${words}`, body: `Body ${words}` });
  mona.comment(repo, issue, `Comment ${words}`);
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.tracker.bug(1)?.summary).toBe(`Title ${words}`);
  expect(house.tracker.commentsOf(1).map(({ text }) => text)).toEqual([
    expect.stringContaining(`Body ${words}`),
    expect.stringContaining(`Comment ${words}`),
  ]);
  mona.edit(repo, issue, { title: `Renamed ${words}` });
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.tracker.bug(1)?.summary).toBe(`Renamed ${words}`);
  house.tracker.as('alice').comment(1, `Answer ${words}`);
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.github.commentsOf(repo, issue).at(-1)?.body).toContain(`Answer ${words}`);
  expect(await house.run('verify')).toMatchObject({ code: 0, out: expect.stringContaining('1 pair compared, no differences') });
});
