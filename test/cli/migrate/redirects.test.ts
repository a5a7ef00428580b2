import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 3; number += 1)
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    tracker.hide(2);
  });
  await house.run('once');
});
afterEach(() => house.close());

test.each([
  [
    'csv',
    /^bug,from,to\n1,http:\S+\/show_bug\.cgi\?id=1,https:\/\/github\.com\/acme\/widget\/issues\/1\n3,\S+,https:\S+\/2\n$/,
  ],
  [
    'nginx',
    /map \$arg_id \$bugferry_issue \{\n {2}default "";\n {2}1 "https:\S+\/issues\/1";\n {2}3 "https:\S+\/issues\/2";\n\}\n$/,
  ],
  ['apache', /RewriteMap bugs[\s\S]*\n1 https:\S+\/issues\/1\n3 https:\S+\/issues\/2\n$/],
])('as %s, every public bug leads to its issue, and nothing else is told', async (format, words) => {
  const before = house.requests();
  const { code, out } = await house.run('redirects', '--format', format);
  expect(code).toBe(0);
  expect(out).toMatch(words);
  expect(house.requests()).toBe(before);
});

test('what became private is left out', async () => {
  house.tracker.hide(3);
  await house.run('once', '--sweep');
  expect((await house.run('redirects')).out).not.toMatch(/^3,/m);
});
