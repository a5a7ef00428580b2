import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { serveTracker } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { fakeTracker } from '../../bugzilla/api/fake-tracker.ts';
import { contextOn, repo, stage } from '../../simulation/stage.ts';
import { untilQuiet } from '../../verify/mirror.ts';
import { branchRule, testLimits, widgetRoute } from '../routes.ts';
import { type Case, publicClient, testCases, trackerClient, url } from './scenarios.ts';

/**
 * Defects that real servers showed and that no simulation meets: each, planted back, is seen in the scenario in which
 * it was met.
 */

/** Two requests to a slow tracker, one after the other, in a process that has nothing else to do. */
async function slowTracker(src: string): Promise<unknown> {
  const code = `
    const { trackerLane } = await import(${JSON.stringify(`${src}/runtime/rate-limit.ts`)});
    const lane = trackerLane({ requestsPerSecond: 100, concurrency: 1 });
    const ask = () => lane.run('read', () => new Promise((done) => setTimeout(done, 1_050)));
    await Promise.all([ask(), ask()]);`;
  const [exitCode] = await once(
    spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'ignore' }),
    'close',
  );
  return exitCode;
}

/** What a tracker of the 5.1/5.3 line keeps of a comment. */
async function storedComment(src: string): Promise<unknown> {
  const world = createTrackerWorld({ now: () => Date.UTC(2026, 10, 21), url, version: '5.3' });
  const served = await serveTracker(world, { port: 0 });
  onTestFinished(() => served.close());
  const bug = world.as('alice').file({ summary: 'Plain' });
  const { z } = await import('zod');
  const client = await trackerClient(src, { url: served.url, apiKey: world.user('alice').apiKey, fetch });
  await client.create(['bug', bug, 'comment'], { comment: 'Ünï' }, z.unknown());
  return world.commentsOf(bug).at(-1)?.text;
}

/** Whether a type has to be named, which harmony wants and does not say. */
async function wantsType(src: string): Promise<unknown> {
  const { readCreationFields } = (await import(
    `${src}/bugzilla/survey.ts`
  )) as typeof import('../../../src/bugzilla/survey.ts');
  const { fetch } = fakeTracker(() => ({
    body: { fields: [{ name: 'bug_type', type: 2, is_mandatory: false, values: [{ name: 'defect' }] }] },
  }));
  return (await readCreationFields(await trackerClient(src, { fetch })))?.map(({ isMandatory }) => isMandatory);
}

const bareLogin = async (src: string): Promise<unknown> =>
  (await publicClient(src, { body: true })).tracker.validLogin('bob@example.test').catch(() => 'not understood');

async function sentAlias(src: string): Promise<unknown> {
  const { asked, tracker } = await publicClient(src, { body: { id: 1 } });
  await tracker.createBug({ product: 'P', component: 'C', version: '1', summary: 's', alias: ['x'] });
  return asked.at(-1)?.body['alias'];
}

/** The 5.1/5.3 line cannot be asked whether it reads Markdown, and does. */
async function markdownUse(src: string): Promise<unknown> {
  const { markdownUseOf } = (await import(
    `${src}/bugzilla/markdown.ts`
  )) as typeof import('../../../src/bugzilla/markdown.ts');
  const { fetch } = fakeTracker(() => ({
    status: 404,
    body: { error: true, code: 32614, message: 'no such resource' },
  }));
  return markdownUseOf(await trackerClient(src, { fetch }), '5.3.3+');
}

/** The kinds of failure of an answer to GraphQL, with status 200. */
const graphql = (type: string, message: string) => async (src: string) => {
  const { classifyErrors } = (await import(
    `${src}/github/connection/classify-answer.ts`
  )) as typeof import('../../../src/github/connection/classify-answer.ts');
  return classifyErrors({ status: 200, headers: {}, data: {} }, [{ type, message }], {
    about: 'minimize a comment',
    now: 0,
  }).kind;
};

async function advice(src: string): Promise<unknown> {
  const { adviceOn } = (await import(
    `${src}/github/connection/refusals.ts`
  )) as typeof import('../../../src/github/connection/refusals.ts');
  return adviceOn({ status: 403, headers: {}, messages: 'Resource protected by organization SAML enforcement.' });
}

/** How the pauses grow that GitHub asks for, one after the other. */
async function pauses(src: string): Promise<unknown> {
  const { backoffAfter } = (await import(
    `${src}/rules/limits/backoff.ts`
  )) as typeof import('../../../src/rules/limits/backoff.ts');
  const first = backoffAfter(null, 60_000, 0);
  return [first.until, backoffAfter(first, 120_000, 60_000).until];
}

/** A comment behind one that came with a file. */
async function reply(src: string): Promise<unknown> {
  const { cycle } = (await import(`${src}/sync/cycle.ts`)) as typeof import('../../../src/sync/cycle.ts');
  const world = stage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'It fails' });
  world.clock.advance(1_000);
  alice.attach(bug, { bytes: new TextEncoder().encode('x'), file_name: 'crash.log', comment: 'The log.' });
  world.clock.advance(1_000);
  alice.comment(bug, 'A reply.');
  const context = contextOn(world, { ...widgetRoute, attachments: branchRule }, { limits: testLimits });
  for (let index = 0; index < 4; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
  return world.github.commentsOf(repo, 1).map(({ body }) => /The log\.|A reply\./u.exec(body)?.[0]);
}

/** A milestone that GitHub did not take. */
async function untaken(src: string): Promise<unknown> {
  const { verify } = (await import(`${src}/verify/verify.ts`)) as typeof import('../../../src/verify/verify.ts');
  const world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', target_milestone: '1.1' });
  const context = contextOn(world, { ...widgetRoute, milestones: true }, { limits: testLimits });
  const { github } = context;
  await untilQuiet(world, {
    ...context,
    github: { ...github, create: ({ milestone: _dropped, ...draft }) => github.create(draft) },
  });
  const { pairs } = await verify(context, {
    sample: null,
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  return pairs.flatMap(({ differences }) => differences.map(({ aspect }) => aspect));
}

const cases: readonly Case[] = [
  {
    name: 'a wait for a slow tracker does not keep the process alive',
    ...{
      file: 'runtime/rate-limit.ts',
      from: 'isAwaited() ? timer.ref() : timer.unref()',
      to: 'isAwaited() ? timer.unref() : timer.ref()',
    },
    ...{ scenario: slowTracker, right: 0 },
  },
  {
    name: 'requests to trackers are UTF-8',
    ...{
      file: 'bugzilla/connection/client.ts',
      from: 'asciiJson({ ...request.body',
      to: 'JSON.stringify({ ...request.body',
    },
    ...{ scenario: storedComment, right: 'Ünï' },
  },
  {
    name: 'a type is not asked for',
    ...{ file: 'bugzilla/survey.ts', from: "wire.name === 'bug_type' || (", to: '(' },
    ...{ scenario: wantsType, right: [true] },
  },
  {
    name: 'a login is confirmed in one form only',
    ...{
      file: 'bugzilla/schema.ts',
      from: ', z.boolean().transform((result) => ({ result }))]',
      to: ', z.object({ result: flag })]',
    },
    ...{ scenario: bareLogin, right: true },
  },
  {
    name: 'one alias is sent in a list',
    ...{
      file: 'bugzilla/api/bug-operations.ts',
      from: 'first === undefined || others.length > 0 ? {}',
      to: 'first === undefined || others.length >= 0 ? {}',
    },
    ...{ scenario: sentAlias, right: 'x' },
  },
  {
    name: '5.3 is asked whether it reads Markdown',
    ...{ file: 'bugzilla/markdown.ts', from: "return 'comment';", to: '{}' },
    ...{ scenario: markdownUse, right: 'comment' },
  },
  {
    name: 'a limit of GraphQL has one name',
    ...{ file: 'github/connection/classify-answer.ts', from: '/^RATE_LIMIT(?:ED)?$/u', to: '/^RATE_LIMITED$/u' },
    ...{ scenario: graphql('RATE_LIMIT', 'Wait.'), right: 'limited' },
  },
  {
    name: 'a limit of GraphQL is known by its type alone',
    ...{
      file: 'github/connection/classify-answer.ts',
      from: 'if (isOfType(/^RATE_LIMIT(?:ED)?$/u) || limitWords.test(messages))',
      to: 'if (isOfType(/^RATE_LIMIT(?:ED)?$/u))',
    },
    ...{ scenario: graphql('FORBIDDEN', 'You have exceeded a secondary rate limit.'), right: 'limited' },
  },
  {
    name: 'a node that a replica does not know yet is a refusal',
    ...{
      file: 'github/connection/classify-answer.ts',
      from: "if (lagWords.test(messages)) return { kind: 'notYet', at: retryAfterOf(answer, now), why };\n  const isOfServer",
      to: 'const isOfServer',
    },
    ...{ scenario: graphql('NOT_FOUND', "Could not resolve to a node with the global id of 'I_1'"), right: 'notYet' },
  },
  {
    name: 'every refusal is about rights',
    ...{ file: 'github/connection/refusals.ts', from: '[/SAML/u,', to: '[/saml/u,' },
    ...{ scenario: advice, right: 'Authorize the token for single sign-on to the organization' },
  },
  {
    name: 'pauses do not grow',
    ...{
      file: 'rules/limits/backoff.ts',
      from: 'times === 1 ? 0 : Math.max(leastBackoffMs, until - now) * 2 ** (times - 1)',
      to: '0',
    },
    ...{ scenario: pauses, right: [60_000, 180_000] },
  },
  {
    name: 'a comment overtakes the file before it',
    ...{
      file: 'rules/attachments/notice.ts',
      from: 'if (waiting !== undefined && mustWait(commentLink, waiting)) return [];',
      to: "if (shown.kind === 'wait') return [];",
    },
    ...{ scenario: reply, right: ['The log.', 'A reply.'] },
  },
  {
    name: 'what a side did not take is left out on purpose',
    ...{
      file: 'verify/compare/fields.ts',
      from: "fieldFindings([untaken('milestone', mine, theirs)])",
      to: "refused('milestone', mine, theirs)",
    },
    ...{ scenario: untaken, right: ['milestone'] },
  },
];

testCases(cases);
