/**
 * The HTTP server: GitHub's REST API for issues, comments and labels, and HTML pages at the addresses in `html_url`.
 */

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type FaultSource, noFaults } from '../../server/faults.ts';
import { listen } from '../../server/listen.ts';
import { accountRoutes, repoRoutes } from '../routes/account.ts';
import { commentRoutes } from '../routes/comments.ts';
import { commitRoutes } from '../routes/commits.ts';
import { dependencyRoutes } from '../routes/dependencies.ts';
import { eventRoutes } from '../routes/events.ts';
import { fieldRoutes, organisationRoutes } from '../routes/fields.ts';
import { gitRoutes } from '../routes/git.ts';
import { graphqlRoutes } from '../routes/graphql.ts';
import { hookRoutes } from '../routes/hooks.ts';
import { importRoutes } from '../routes/imports.ts';
import { issueRoutes } from '../routes/issues.ts';
import { labelRoutes } from '../routes/labels.ts';
import { milestoneRoutes } from '../routes/milestones.ts';
import { pullRoutes } from '../routes/pulls.ts';
import { assetUploadRoutes, releaseRoutes } from '../routes/releases.ts';
import { uploadFolder } from '../shapes/release.ts';
import { emptyGit, fileAt } from '../world/git/git.ts';
import { listedIssues } from '../world/listings.ts';
import { bucket } from '../world/uploads.ts';
import type { GithubWorld } from '../world/world.ts';
import type { Route } from './ask.ts';
import { notFound } from './errors.ts';
import { publishing } from './exchanges.ts';
import { commitPage, issuePage, listPage, missingPage, startPage } from './pages.ts';
import { type HttpServer, serveRequest } from './respond.ts';

export interface GithubServerOptions {
  readonly faults?: FaultSource;
  /** Delays slow answers; without it they come at once. */
  readonly sleep?: (delayMs: number) => Promise<void>;
}

type Served = { Bindings: Partial<HttpBindings> };

/** Called without a socket (`app.request`), a dropped connection is a rejected promise. */
export function githubServer(
  world: GithubWorld,
  { faults = noFaults, sleep = async () => {} }: GithubServerOptions = {},
): Hono<Served> {
  const app = new Hono<Served>();
  const server: HttpServer = { state: world.state, faults, sleep };
  app.use(publishing);
  for (const route of [...accountRoutes, ...organisationRoutes, ...graphqlRoutes])
    add(app, server, route, [route.path]);
  // The comments of a repository come before its issues, whose pattern would match "comments" as a number.
  for (const route of [
    ...repoRoutes,
    ...commentRoutes,
    ...dependencyRoutes,
    ...fieldRoutes,
    ...issueRoutes,
    ...labelRoutes,
    ...eventRoutes,
    ...gitRoutes,
    ...commitRoutes,
    ...milestoneRoutes,
    ...importRoutes,
    ...releaseRoutes,
    ...pullRoutes,
    ...hookRoutes,
  ]) {
    add(app, server, route, [`/repos/:owner/:repo${route.path}`, `/repositories/:repoId${route.path}`]);
  }
  for (const route of assetUploadRoutes) add(app, server, route, [`${uploadFolder}/repos/:owner/:repo${route.path}`]);
  addPages(app, world);
  app.notFound((context) => context.json(notFound().body, 404));
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** Listens on the loopback interface; that address becomes the world's. Port 0 takes a free one. */
export async function serveGithub(
  world: GithubWorld,
  { port, ...options }: GithubServerOptions & { readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const app = githubServer(world, options);
  const { port: taken, close } = await listen(app.fetch, port);
  world.state.url = `http://127.0.0.1:${taken}`;
  return { url: world.state.url, close };
}

function add(app: Hono<Served>, server: HttpServer, route: Route, paths: string[]): void {
  app.on(route.method, paths, async (context) => {
    const response = await serveRequest(server, { route, request: context.req.raw, params: context.req.param() });
    return response ?? dropped(context);
  });
}

/** The answer is never seen: its socket is gone. */
function dropped(context: Context<Served>): Response {
  const socket = context.env?.incoming?.socket;
  if (socket === undefined) throw new Error('The sandbox GitHub dropped the connection.');
  socket.destroy();
  return new Response(null);
}

/** Only public content; no credentials, no limits, no faults. */
function addPages(app: Hono<Served>, world: GithubWorld): void {
  const repoAt = (context: Context): ReturnType<typeof world.state.repos.get> => {
    const repo = world.state.repos.get(`${context.req.param('owner')}/${context.req.param('repo')}`.toLowerCase());
    return repo?.isPrivate === false ? repo : undefined;
  };
  // GitHub redirects requests for a file to a bucket; here the bucket is a folder, and the client must map one host to
  // the other.
  app.get('/user-attachments/*', (context) => {
    const url = `https://github.com${new URL(context.req.url).pathname}`;
    const place = [...world.state.uploads.keys()].indexOf(url);
    return place < 0
      ? context.html(missingPage(), 404)
      : context.redirect(`${bucket}/${place}?X-Amz-Signature=sandbox`, 302);
  });
  app.get('/bucket/:place', (context) => {
    const upload = [...world.state.uploads.values()][Number(context.req.param('place'))];
    return upload === undefined ? context.html(missingPage(), 404) : context.body(Uint8Array.from(upload.bytes));
  });
  app.get('/:owner/:repo/raw/:branch/:path{.+}', (context) => {
    const bytes = fileAt(repoAt(context)?.git ?? emptyGit(), context.req.param('branch'), context.req.param('path'));
    return bytes === null ? context.html(missingPage(), 404) : context.body(Uint8Array.from(bytes));
  });
  app.get('/:owner/:repo/releases/download/:tag/:name', (context) => {
    const release = repoAt(context)?.releases.find(({ tag, isDraft }) => tag === context.req.param('tag') && !isDraft);
    const asset = release?.assets.find(({ name }) => name === context.req.param('name'));
    return asset === undefined ? context.html(missingPage(), 404) : context.body(Uint8Array.from(asset.bytes));
  });
  app.get('/', (context, next) =>
    context.req.header('accept')?.includes('text/html')
      ? context.html(startPage([...world.state.repos.values()].filter(({ isPrivate }) => !isPrivate)))
      : next(),
  );
  app.get('/:owner/:repo/issues', (context) => {
    const repo = repoAt(context);
    return repo === undefined
      ? context.html(missingPage(), 404)
      : context.html(listPage(repo, listedIssues(world.state, repo)));
  });
  app.on('GET', ['/:owner/:repo/issues/:number', '/:owner/:repo/pull/:number'], (context) => {
    const repo = repoAt(context);
    const issue = repo?.issues.get(Number(context.req.param('number')));
    if (repo === undefined || issue?.fate.kind !== 'there') return context.html(missingPage(), 404);
    return context.html(issuePage(world.state, repo, issue));
  });
  app.get('/:owner/:repo/commit/:sha', (context) => {
    const [repo, sha] = [repoAt(context), context.req.param('sha')];
    const commit = repo?.git.commits.get(sha);
    if (repo === undefined || commit === undefined) return context.html(missingPage(), 404);
    return context.html(commitPage(repo, sha, commit));
  });
}
