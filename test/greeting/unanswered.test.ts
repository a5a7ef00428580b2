import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';
import { type Changed, changingAnswers } from '../support/faults/changed-answers.ts';
import { some } from '../tiers/depth.ts';

/**
 * A side that answers all but one of the questions that a route asks once a day: the last answer holds, what people do
 * crosses, and what is hidden is withdrawn.
 */
let house: House | undefined;
afterEach(() => house?.close());

const repo = 'acme/widget';
const [json, html] = ['application/json', 'text/html'];
const answers: Readonly<Record<string, Changed>> = {
  'a page with 500': { status: 500, type: html, text: '<title>Oops</title>' },
  'a page with 200': { status: 200, type: html, text: '<title>Hello</title>' },
  nothing: { status: 200, type: json, text: '' },
  null: { status: 200, type: json, text: 'null' },
  'a list': { status: 200, type: json, text: '[]' },
  'half of it': { status: 200, type: json, text: '{"products":[{"na' },
  'an internal error': { status: 400, type: json, text: '{"error":true,"code":100500,"message":"Out of memory"}' },
};
const questions = {
  products: /^\/rest\/product\b/u,
  fields: /^\/rest\/field\b/u,
  version: /^\/rest\/version\b/u,
  account: /^\/rest\/(?:whoami|valid_login|user)\b/u,
  'our name on GitHub': /^\/user$/u,
  'the repository': /^\/repos\/acme\/widget$/u,
};

/** @param lost the path of one write whose answer does not arrive */
async function mirrored(question: RegExp, answer: Changed, lost: RegExp | null = null) {
  const opened = await openHouse((tracker) => {
    for (const number of [1, 2, 3]) tracker.as('alice').file({ summary: `Pan ${number}`, description: 'Hot.' });
  });
  house = opened;
  let isFailing = false;
  let losses = 0;
  const through = (url: string) =>
    changingAnswers(url, ({ method, path: address }) => {
      const path = address.split('?')[0] ?? '';
      if (!isFailing) return null;
      if (question.test(path)) return answer;
      if (lost === null || method !== 'POST' || !lost.test(path) || losses > 0) return null;
      losses += 1;
      return { status: 502, type: html, text: '<title>Bad gateway</title>' };
    });
  const [trackerUrl, githubUrl] = [await through(opened.trackerUrl), await through(opened.githubUrl)];
  opened.configure((config) => {
    Object.assign(config.tracker, { url: trackerUrl });
    Object.assign(config.github, { url: githubUrl });
  });
  for (let turn = 0; turn < 3; turn += 1) await opened.run('once');
  expect(opened.github.issues(repo)).toHaveLength(3);
  // What was answered yesterday is asked again.
  const db = new Database(opened.state);
  db.prepare('update greetings set at = at - 2 * 86400000').run();
  db.close();
  isFailing = true;
  return opened;
}

const rows = Object.entries(questions).flatMap(([question, path]) =>
  Object.entries(answers).flatMap(([name, answer]) =>
    // GitHub has no such errors.
    name === 'an internal error' && /GitHub|repository/u.test(question)
      ? []
      : [[question, name, path, answer] as const],
  ),
);

test.each(some(rows, Math.ceil(rows.length / 4)))(
  'asked about %s, a side answers %s',
  async (question, _name, path, answer) => {
    const { tracker, github, run } = await mirrored(path, answer);
    tracker.hide(2);
    tracker.as('alice').comment(1, 'From the tracker');
    github.as('mona').comment(repo, 3, 'From GitHub');
    for (let turn = 0; turn < 3; turn += 1) await run('once');
    expect(github.issue(repo, 2)?.title).toBe('Bug 2 is not public');
    const onTracker = tracker.commentsOf(3).some(({ text }) => text.includes('From GitHub'));
    // Nobody knows who reads the repository now, and what is said there must not become public.
    expect(onTracker).toBe(question !== 'the repository');
    if (question === 'the repository') return;
    expect(github.commentsOf(repo, 1).some(({ body }) => body.includes('From the tracker'))).toBe(true);
    expect((await run('status')).code).toBe(0);
  },
);

test.each([
  ['the tracker', questions.account, /^\/rest\/bug\/3\/comment$/u],
  ['GitHub', questions['our name on GitHub'], /^\/repos\/acme\/widget\/issues\/3\/comments$/u],
] as const)('a comment in doubt on %s waits for nobody who says who we are', async (_, question, lost) => {
  const { tracker, github, run } = await mirrored(question, { status: 500, type: html, text: '' }, lost);
  tracker.as('alice').comment(3, 'From the tracker');
  github.as('mona').comment(repo, 3, 'From GitHub');
  await run('once');
  tracker.as('alice').comment(1, 'Another from the tracker');
  github.as('mona').comment(repo, 1, 'Another from GitHub');
  for (let turn = 0; turn < 3; turn += 1) await run('once');
  expect(tracker.commentsOf(3).filter(({ text }) => text.includes('From GitHub'))).toHaveLength(1);
  expect(github.commentsOf(repo, 3).filter(({ body }) => body.includes('From the tracker'))).toHaveLength(1);
  expect(tracker.commentsOf(1).at(-1)?.text).toContain('Another from GitHub');
  expect(github.commentsOf(repo, 1).at(-1)?.body).toContain('Another from the tracker');
});
