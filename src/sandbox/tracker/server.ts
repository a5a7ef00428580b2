import { type ServerType, serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock } from '../../model/lane.ts';
import { type FaultSource, noFaults } from '../faults.ts';
import { endpoint, failure } from './call.ts';
import { noRoute } from './errors.ts';
import { respond } from './negotiation.ts';
import { bugPage, listPage, missingPage } from './pages.ts';
import { createAttachment, getAttachments, getAttachmentsById, updateAttachments } from './rest-attachments.ts';
import { createBug, getBugs, getHistory, search, updateBugs } from './rest-bugs.ts';
import { createComment, getComments, getCommentsById } from './rest-comments.ts';
import { fields, fieldValues } from './rest-fields.ts';
import { productFlagTypes } from './rest-flag-types.ts';
import { classifications, extensions, lastAuditTime, lastVisits, time, timezone, version } from './rest-meta.ts';
import { parameters } from './rest-parameters.ts';
import { productIds, products } from './rest-products.ts';
import { searchTags, updateTags } from './rest-tags.ts';
import { groupList, logIn, logOut, users, validLogin } from './rest-users.ts';
import { withFaults } from './server-faults.ts';
import type { TrackerState } from './state.ts';
import type { TrackerWorld } from './world.ts';

export interface TrackerServerOptions {
  readonly faults?: FaultSource;
  /** Waits for slow answers; without it they come at once. */
  readonly clock?: Pick<Clock, 'sleep'>;
  /** How far the web server's clock, which dates the answers, is ahead of the one that stamps bugs. */
  readonly dateSkewMs?: number;
}

/** The tracker's HTTP door: the REST interface in the dialect of Bugzilla 5.2, and a few pages for people. */
export function trackerServer(world: TrackerWorld, options: TrackerServerOptions = {}): Hono {
  const { state } = world;
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('Date', new Date(state.now() + (options.dateSkewMs ?? 0)).toUTCString());
  });
  app.use(async (_context, next) => (state.settings.shutdownhtml === '' ? next() : shutdownPage(state)));
  const rest = restApp(state, options);
  app.route('/rest', rest);
  app.route('/rest.cgi', rest);
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"] } }));
  app.get('/', (context) => context.html(listPage(state)));
  app.get('/show_bug.cgi', (context) => {
    const page = bugPage(state, Number(context.req.query('id')));
    return page === null ? context.html(missingPage(), 404) : context.html(page);
  });
  return app;
}

export interface ServedTrackerOptions extends TrackerServerOptions {
  readonly port: number;
  /** Has the last word about every answer, once all that the request changed is in the state. */
  readonly finish?: (answer: Response) => Response;
}

export interface ServedTracker {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the tracker on the loopback interface; port 0 takes a free one. */
export function serveTracker(world: TrackerWorld, options: ServedTrackerOptions): Promise<ServedTracker> {
  const app = trackerServer(world, options);
  const { port: wanted, finish = (answer) => answer } = options;
  const fetch = async (request: globalThis.Request, env: object) => finish(await app.fetch(request, env));
  return new Promise((resolve, reject) => {
    const server: ServerType = serve({ fetch, port: wanted, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => closed(server) }),
    );
    server.on('error', reject);
  });
}

/** While the installation is shut down, everything answers with a page that says so. */
function shutdownPage({ settings }: TrackerState): Response {
  const page = `<!DOCTYPE html><html><head><title>Bugzilla is Down</title></head><body>${settings.shutdownhtml}</body></html>`;
  return new Response(page, { status: 503, headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Retry-After': '3600' } });
}

const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    if ('closeAllConnections' in server) server.closeAllConnections();
  });

function restApp(state: TrackerState, { faults = noFaults, clock }: TrackerServerOptions): Hono {
  const rest = new Hono();
  const notFound = notFoundIn(state);
  rest.use(async (context, next) => {
    if (context.req.method === 'HEAD') return notFound(context);
    if (context.req.url.length > 8190) return context.html('<h1>Request-URI Too Long</h1>', 414);
    return withFaults(context, next, faults, clock);
  });
  rest.get('/version', endpoint(state, 200, version, 'exempt'));
  rest.get('/extensions', endpoint(state, 200, extensions));
  rest.get('/timezone', endpoint(state, 200, timezone, 'exempt'));
  rest.get('/time', endpoint(state, 200, time));
  rest.get('/last_audit_time', endpoint(state, 200, lastAuditTime));
  rest.get('/login', endpoint(state, 200, logIn, 'exempt'));
  rest.get('/logout', endpoint(state, 200, logOut));
  rest.get('/valid_login', endpoint(state, 200, validLogin));
  for (const path of ['/user', '/user/:name']) rest.get(path, endpoint(state, 200, users));
  for (const path of ['/group', '/group/:name']) rest.get(path, endpoint(state, 200, groupList));
  rest.get('/classification/:name', endpoint(state, 200, classifications));
  for (const path of ['/bug_user_last_visit', '/bug_user_last_visit/:name']) rest.get(path, endpoint(state, 200, lastVisits));
  rest.get('/parameters', endpoint(state, 200, parameters, 'optional'));
  rest.get('/field/bug', endpoint(state, 200, fields));
  rest.get('/field/bug/:name', endpoint(state, 200, fields));
  rest.get('/field/bug/:name/values', endpoint(state, 200, fieldValues));
  rest.get('/field/bug/:name/:product/values', endpoint(state, 200, fieldValues));
  rest.get('/product', endpoint(state, 200, products));
  rest.get('/product/:name', endpoint(state, 200, products));
  for (const path of ['/product_accessible', '/product_enterable', '/product_selectable']) rest.get(path, endpoint(state, 200, productIds));
  rest.get('/bug', endpoint(state, 200, search));
  rest.post('/bug', endpoint(state, 200, createBug));
  rest.get('/bug/', endpoint(state, 200, getBugs));
  rest.get('/bug/comment/tags/:name', endpoint(state, 200, searchTags));
  rest.put('/bug/comment/:name/tags', endpoint(state, 200, updateTags));
  rest.get('/bug/comment/:name', endpoint(state, 200, getCommentsById));
  rest.get('/bug/attachment/:name', endpoint(state, 200, getAttachmentsById));
  rest.put('/bug/attachment/:name', endpoint(state, 200, updateAttachments));
  rest.get('/bug/:name', endpoint(state, 200, getBugs));
  rest.put('/bug/:name', endpoint(state, 200, updateBugs));
  rest.get('/bug/:name/comment', endpoint(state, 200, getComments));
  rest.post('/bug/:name/comment', endpoint(state, 201, createComment));
  rest.get('/bug/:name/attachment', endpoint(state, 200, getAttachments));
  rest.post('/bug/:name/attachment', endpoint(state, 201, createAttachment));
  for (const path of ['/flag_type/:name', '/flag_type/:name{[^/]+/[^/]+}']) rest.get(path, endpoint(state, 200, productFlagTypes));
  rest.get('/bug/:name/history', endpoint(state, 200, getHistory));
  rest.all('*', notFound);
  return rest;
}

const notFoundIn =
  (state: TrackerState) =>
  (context: Context): Response => {
    const path = context.req.path.replace(/^\/rest(\.cgi)?/, '');
    const error = failure(noRoute(context.req.method, path), 404);
    return respond(context, state, { ...error, callback: null, isAnonymous: true });
  };
