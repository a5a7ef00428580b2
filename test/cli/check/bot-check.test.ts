/** A bot check in front of a side is named as such: the operator must have this machine let through. */

import { expect, onTestFinished, test } from 'vitest';
import { openHouse } from '../../support/bugferry.ts';
import { changingAnswers } from '../../support/faults/changed-answers.ts';

const page = (title: string, body = ''): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const checks: readonly (readonly [string, number, string])[] = [
  ['Cloudflare', 403, page('Just a moment...', '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>')],
  ['Cloudflare, with 503', 503, page('Attention Required! | Cloudflare')],
  [
    'Anubis, with 200',
    200,
    page("Making sure you're not a bot!", '<script src="/.within.website/x/cmd/anubis"></script>'),
  ],
  ['a captcha', 429, page('One more step', '<div class="g-recaptcha"></div>')],
  ['another one, as XHTML', 405, `<?xml version="1.0"?>${page('Human check', 'Verify that you are human')}`],
];

test.each(checks)('on the tracker: %s', async (_name, status, text) => {
  const house = await openHouse(() => {});
  onTestFinished(() => house.close());
  const url = await changingAnswers(house.trackerUrl, () => ({ status, type: 'text/html', text }));
  house.configure((config) => {
    config.tracker.url = url;
  });
  expect((await house.run('check')).out).toMatch(/the page of a bot check instead of JSON; ask its administrator/);
});

test.each(checks)('on the way to GitHub: %s', async (_name, status, text) => {
  const house = await openHouse(() => {});
  onTestFinished(() => house.close());
  const url = await changingAnswers(house.githubUrl, () => ({ status, type: 'text/html', text }));
  house.configure((config) => {
    config.github.url = url;
  });
  expect((await house.run('check')).out).toMatch(/the page of a bot check instead of JSON|rate limit/);
});

test('a bug about such pages, and a plain page, are none', async () => {
  const house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'Just a moment... captcha', description: page('Just a moment...') });
  });
  onTestFinished(() => house.close());
  expect((await house.run('check')).out).not.toMatch(/bot check/);
  const url = await changingAnswers(house.trackerUrl, () => ({
    status: 502,
    type: 'text/html',
    text: page('Bad gateway'),
  }));
  house.configure((config) => {
    config.tracker.url = url;
  });
  expect((await house.run('check')).out).toMatch(/a page instead of JSON \(HTTP 502\); it failed, or a proxy/);
});
