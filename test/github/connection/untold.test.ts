import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GithubReplica } from '../../../src/model/replica.ts';
import { type Answers, answering, type Script, type ScriptedServer, scriptedReplica } from '../scripted-server.ts';

/** Only GitHub itself knows that something is gone: whatever fails in between says nothing about that. */
const path = '/repos/acme/widget';
const there = answering(200, { id: 7, full_name: 'acme/widget', has_issues: true });
const page = (status: number): Script => answering(status, '<html>Sorry</html>', { 'content-type': 'text/html' });

const failing: readonly (readonly [string, Script])[] = [
  ['500', answering(500, { message: 'Server Error' })],
  ['a page with 404', page(404)],
  ['a page with 410', page(410)],
  ['a page with 502', page(502)],
  ['404 without a message', answering(404, {})],
];
const empty: readonly (readonly [string, Script])[] = [
  ['{}', answering(200, {})],
  ['null', answering(200, null)],
  ['a list', answering(200, [])],
  ['a page', page(200)],
];

let server: ScriptedServer;
let replica: GithubReplica;
let answers: Answers;

beforeEach(async () => {
  answers = {};
  ({ server, replica } = await scriptedReplica(() => answers));
});
afterEach(() => server.close());

const later = { name: 'SideError', kind: 'later' };

describe.each([...failing, ...empty])('%s', (_name, answer) => {
  test('does not say that a repository is gone', async () => {
    Object.assign(answers, { [`GET ${path}`]: answer, 'GET /repositories/7': answer });
    await expect(replica.idOf('acme/widget')).rejects.toMatchObject(later);
    await expect(replica.nameOf(7)).rejects.toMatchObject(later);
  });

  test('does not say that an issue was transferred out of a repository', async () => {
    const moved = answering(301, { message: 'Moved' }, { location: 'https://api.github.com/repositories/9/issues/8' });
    const gadget = answering(200, { id: 9, full_name: 'acme/gadget' });
    Object.assign(answers, {
      [`GET ${path}/issues/5`]: moved,
      'GET /repositories/9': gadget,
    });
    let looks = 0;
    // The look of the client that names places, and then that of the edge.
    answers[`GET ${path}`] = (arrival, response) => {
      looks += 1;
      (looks === 1 ? answer : there)(arrival, response);
    };
    expect(await replica.probe(5)).toMatchObject({ gone: { kind: 'moved' } });
    looks = 0;
    expect(await replica.probe(5)).not.toHaveProperty('gone.place');
  });
});

describe.each(failing)('%s', (_name, answer) => {
  test('does not say that an issue or a comment is gone', async () => {
    Object.assign(answers, {
      [`GET ${path}`]: there,
      [`GET ${path}/issues/5`]: answer,
      [`GET ${path}/issues/comments/8`]: answer,
    });
    await expect(replica.probe(5)).rejects.toMatchObject(later);
    await expect(replica.placeOf({ repo: 'acme/widget', number: 5 })).rejects.toMatchObject(later);
    await expect(replica.hasComment(5, 8)).rejects.toMatchObject(later);
  });
});

test('404 of GitHub says that a repository, an issue and a comment are gone', async () => {
  answers[`GET ${path}`] = there;
  expect(await replica.idOf('acme/gizmo')).toBeNull();
  expect(await replica.nameOf(7)).toBeNull();
  expect(await replica.probe(5)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
  expect(await replica.placeOf({ repo: 'acme/widget', number: 5 })).toBeNull();
  expect(await replica.hasComment(5, 8)).toBe(false);
});

test.each(empty)('%s does not say that everyone may read the repository', async (_name, answer) => {
  answers[`GET ${path}`] = answer;
  await expect(replica.standing()).rejects.toMatchObject({ name: 'SideError' });
});
