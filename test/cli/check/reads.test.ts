/** `check` asks what a cycle asks, so a tracker that cannot answer that is found before the first cycle. */

import { expect, onTestFinished, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';
import { type Change, changedJson, changingAnswers } from '../../support/faults/changed-answers.ts';

async function houseBehind(change: Change): Promise<House> {
  const house = await openHouse((tracker) => {
    for (const number of [1, 2, 3]) {
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
      tracker.as('bob').comment(number, `Word ${number}`);
      tracker.as('admin').change(number, { priority: 'Normal' });
    }
  });
  onTestFinished(() => house.close());
  const url = await changingAnswers(house.trackerUrl, change);
  house.configure((config) => {
    config.tracker.url = url;
    config.routes[0].attachments = {};
  });
  return house;
}

const isList = (path: string) => /^\/rest\/bug\?/u.test(path) && path.includes('component');
const isComments = (path: string) => /^\/rest\/bug\/\d+\/comment/u.test(path);
const page = { status: 500, type: 'text/html', text: '<html><title>Internal Server Error</title></html>' };
/** Comments and files of harmony and 5.x come without a key from the anonymous reader. */
const isAnonymous = (headers: Record<string, unknown>, path: string) =>
  headers['x-bugzilla-api-key'] === undefined && !/api_key=/iu.test(path);

test('reports what the tracker answered', async () => {
  const house = await houseBehind(() => null);
  const { code, out } = await house.run('check');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /ok {7}route widget, reading: the tracker answers the questions of a cycle: it shows 3 bugs, and the comments, history and files of 3; without the key, it shows 3 of these 3/,
    ),
  });
  house.tracker.hide(2);
  expect((await house.run('check')).out).toMatch(/it shows 2 bugs.*without the key, it shows 2 of these 2/);
});

const failing: readonly (readonly [string, Change, RegExp])[] = [
  [
    'a page of bugs with another form',
    ({ path }, text) =>
      isList(path)
        ? changedJson(text, ({ bugs }) => {
            for (const bug of bugs) bug.component = { name: 'Core' };
          })
        : null,
    /failure {2}route widget, reading: a cycle cannot read the bugs of Widget: .*bugs\.0\.component/,
  ],
  [
    'a page of bugs that fails',
    ({ path }) => (isList(path) ? page : null),
    /cannot read the bugs of Widget: .*HTTP 500/,
  ],
  [
    'comments that fail',
    ({ path }) => (isComments(path) ? page : null),
    /cannot read the comments of Widget: .*HTTP 500/,
  ],
  ['history that fails', ({ path }) => (/\/history/u.test(path) ? page : null), /cannot read the history of Widget: /],
  ['files that fail', ({ path }) => (/\/attachment/u.test(path) ? page : null), /cannot read the files of Widget: /],
  [
    'comments without the key',
    ({ path, headers }) => (isComments(path) && isAnonymous(headers, path) ? page : null),
    /cannot read the comments of Widget, asked without the key: /,
  ],
];
test.each(failing)('a failure: %s', async (_name, change, words) => {
  const house = await houseBehind(change);
  const { code, out } = await house.run('check');
  expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(words) });
});

const partial: readonly (readonly [string, Change, RegExp])[] = [
  [
    'a bug that breaks the list',
    ({ path }, text) => (isList(path) && text.includes('Problem 2') ? page : null),
    /warning {2}route widget, reading: the tracker fails on 1 bug \(2\) when a cycle reads the bugs of Widget/,
  ],
  [
    'a comment that breaks the answer',
    ({ path }, text) => (isComments(path) && text.includes('Word 2') ? page : null),
    /the tracker fails on 1 bug \(2\) when a cycle reads the comments of Widget/,
  ],
];
test.each(partial)('a warning: %s', async (_name, change, words) => {
  const house = await houseBehind(change);
  const { code, out } = await house.run('check');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(words) });
});

/** Red Hat's tracker has lists where others have texts. */
const listed =
  (...names: readonly string[]): Change =>
  ({ path, method }, text) =>
    method === 'GET' && /^\/rest\/bug[/?]/u.test(path) && text.includes('"component"')
      ? changedJson(text, ({ bugs }) => {
          for (const bug of bugs ?? [])
            for (const name of names) if (typeof bug[name] === 'string') bug[name] = [bug[name]];
        })
      : null;

test.each([
  [['component', 'version']],
  [['target_milestone', 'op_sys', 'platform']],
  [['severity', 'priority', 'resolution']],
  [['product', 'summary', 'status', 'creator', 'assigned_to']],
])('a tracker with lists for %s is mirrored', async (names) => {
  const house = await houseBehind(listed(...names));
  expect(await house.run('check')).toMatchObject({ code: 0 });
  expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(house.github.issues('acme/widget').map(({ title }) => title)).toEqual(['Problem 1', 'Problem 2', 'Problem 3']);
  expect(await house.run('verify')).toMatchObject({ code: 0 });
});
