import { sign } from '@octokit/webhooks-methods';
import { describe, expect, test } from 'vitest';
import { serverApp } from '../../src/http/app.ts';
import type { ItemHint } from '../../src/model/control.ts';
import { scrub } from '../support/scrub.ts';
import { clock, githubSecret, quietAdminPort, trackerSecret } from './admin-port.ts';

const access = { token: 'a-token-that-hooks-do-not-need', githubSecret, trackerSecret };
const edited = { action: 'edited', issue: { number: 5 }, repository: { full_name: 'acme/widget' } };

interface Delivery {
  readonly event?: string;
  readonly id?: string | null;
  readonly signature?: string | null;
  readonly text?: string;
}

function receiver(change: Partial<typeof access> | { githubSecret: null; trackerSecret: null } = {}) {
  const adminPort = quietAdminPort();
  const app = serverApp(adminPort, {
    ...access,
    ...change,
    scrub,
    failed: () => undefined,
    warned: () => undefined,
    clock,
  });
  let count = 0;
  return {
    adminPort,
    async github(
      body: unknown,
      { event = 'issues', id, signature, text = JSON.stringify(body) }: Delivery = {},
    ): Promise<number> {
      count += 1;
      const signed = signature === undefined ? await sign(githubSecret, text) : signature;
      const headers = new Headers({ 'content-type': 'application/json', 'x-github-event': event });
      if (id !== null) headers.set('x-github-delivery', id ?? `delivery-${count}`);
      if (signed !== null) headers.set('x-hub-signature-256', signed);
      return (await app.request('/hooks/github', { method: 'POST', headers, body: text })).status;
    },
    async tracker(
      body: unknown,
      headers: Record<string, string> = { 'x-bugferry-secret': trackerSecret },
    ): Promise<number> {
      return (await app.request('/hooks/tracker', { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
  };
}

const hint = (change: Partial<ItemHint> = {}): ItemHint => ({
  side: 'github',
  ref: 5,
  repo: 'acme/widget',
  isThread: false,
  ...change,
});

describe("GitHub's webhooks", () => {
  test('name the issue to read; the rest of their content is ignored', async () => {
    const { github, adminPort } = receiver();
    expect(await github({ ...edited, changes: { title: { from: 'x' } } })).toBe(202);
    expect(await github(edited, { event: 'issue_comment' })).toBe(202);
    expect(adminPort.hints).toEqual([hint(), hint({ isThread: true })]);
  });

  test.each(['label', 'milestone'])('report a renamed %s, but not a new one', async (event) => {
    const { github, adminPort } = receiver();
    const repository = { full_name: 'acme/widget' };
    expect(await github({ action: 'edited', changes: { name: { from: 'x' } }, repository }, { event })).toBe(202);
    expect(await github({ action: 'created', repository }, { event })).toBe(202);
    expect(adminPort.hints).toEqual([{ side: 'github', ref: null, repo: 'acme/widget' }]);
    expect(adminPort.hooks).toEqual(['github hint', 'github ignored']);
  });

  test('report an added or removed blocker once', async () => {
    const { github, adminPort } = receiver();
    const repository = { full_name: 'acme/widget' };
    const told = { blocked_issue: { number: 5 }, blocking_issue: { number: 6 }, repository };
    for (const action of ['blocked_by_added', 'blocked_by_removed', 'blocking_added', 'blocking_removed'])
      expect(await github({ action, ...told }, { event: 'issue_dependencies' })).toBe(202);
    expect(adminPort.hints).toEqual([hint(), hint()]);
  });

  test('are accepted once, however often they are sent', async () => {
    const { github, adminPort } = receiver();
    for (const id of ['a', 'a', 'b', 'a']) expect(await github(edited, { id })).toBe(202);
    expect(adminPort.hooks).toEqual(['github hint', 'github repeated', 'github hint', 'github repeated']);
    expect(adminPort.hints).toHaveLength(2);
  });

  const rejected: readonly (readonly [string, unknown, Delivery, number])[] = [
    ['without a signature', edited, { signature: null }, 401],
    ['with the signature of another text', edited, { signature: `sha256=${'0'.repeat(64)}` }, 401],
    ['with a signature that is none', edited, { signature: 'sha256=zz' }, 401],
    ['without a body', edited, { text: '', signature: 'sha256=00' }, 401],
    ['without the name of the delivery', edited, { id: null }, 400],
    ['about no issue', { action: 'edited', repository: { full_name: 'acme/widget' } }, {}, 400],
    ['with a number that is none', { ...edited, issue: { number: -1 } }, {}, 400],
    ['as a form', edited, { text: 'payload=%7B%7D' }, 400],
    ['larger than any issue', edited, { text: 'x'.repeat(1_000_001) }, 413],
  ];
  test.each(rejected)('%s are refused, and cause no reads', async (_name, body, delivery, status) => {
    const { github, adminPort } = receiver();
    expect(await github(body, delivery)).toBe(status);
    expect(adminPort.hints).toEqual([]);
  });

  test.each([
    ['about a pull request', { ...edited, issue: { number: 5, pull_request: {} } }, 'issue_comment'],
    ['that greet', { zen: 'Keep it logically awesome.' }, 'ping'],
    ['about something else', { ref: 'refs/heads/main' }, 'push'],
  ])('%s are answered and left alone', async (_name, body, event) => {
    const { github, adminPort } = receiver();
    expect(await github(body, { event })).toBe(202);
    expect([adminPort.hints, adminPort.hooks]).toEqual([[], ['github ignored']]);
  });

  test('signed with an old secret are refused', async () => {
    const { github } = receiver();
    expect(await github(edited, { signature: await sign('the-secret-of-last-year', JSON.stringify(edited)) })).toBe(
      401,
    );
  });
});

describe("the tracker's webhooks", () => {
  test('name the bug to read', async () => {
    const { tracker, adminPort } = receiver();
    expect(await tracker({ event: { action: 'modify', target: 'bug' }, bug: { id: 12, is_private: false } })).toBe(202);
    expect(adminPort.hints).toEqual([hint({ side: 'tracker', ref: 12, repo: null, isThread: true })]);
  });
  test.each([
    ['without the secret', { bug: { id: 12 } }, {}, 401],
    ['with another secret', { bug: { id: 12 } }, { 'x-bugferry-secret': 'guess' }, 401],
    ['about no bug', { bug: {} }, { 'x-bugferry-secret': trackerSecret }, 400],
    ['as a list', [1], { 'x-bugferry-secret': trackerSecret }, 400],
  ])('%s are refused', async (_name, body, headers: Record<string, string>, status) => {
    const { tracker, adminPort } = receiver();
    expect(await tracker(body, headers)).toBe(status);
    expect(adminPort.hints).toEqual([]);
  });
});

test('without a secret, webhooks are off', async () => {
  const { github, tracker } = receiver({ githubSecret: null, trackerSecret: null });
  expect([await github(edited), await tracker({ bug: { id: 12 } })]).toEqual([401, 401]);
});

const repository = { full_name: 'acme/widget' };
const renamed = { action: 'edited', changes: { name: { from: 'x' } }, repository };
test.each([
  ['a renamed label', renamed, 'label'],
  ['a renamed milestone', renamed, 'milestone'],
  ['a new blocker', { action: 'blocked_by_added', blocked_issue: { number: 5 }, repository }, 'issue_dependencies'],
])('%s is a hint', async (_name, body, event) => {
  const { github, adminPort } = receiver();
  await github(body, { event });
  expect(adminPort.hooks).not.toEqual(['github ignored']);
});
