import { type ServerType, serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock } from '../../model/lane.ts';
import { type FaultSource, noFaults } from '../faults.ts';
import { endpoint, errorAnswer } from './call.ts';
import { noRoute } from './errors.ts';
import { bugPage, listPage, missingPage } from './pages.ts';
import { createBug, getBugs, getHistory, search, updateBugs } from './rest-bugs.ts';
import { createComment, getComments, getCommentsById } from './rest-comments.ts';
import { extensions, fields, parameters, productIds, products, time, timezone, users, validLogin, version } from './rest-meta.ts';
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

const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    if ('closeAllConnections' in server) server.closeAllConnections();
  });

function restApp(state: TrackerState, { faults = noFaults, clock }: TrackerServerOptions): Hono {
  const rest = new Hono();
  rest.use(async (context, next) => {
    if (context.req.method === 'HEAD') return notFound(context);
    if (context.req.url.length > 8190) return context.html('<h1>Request-URI Too Long</h1>', 414);
    return withFaults(context, next, faults, clock);
  });
  rest.get('/version', endpoint(state, 200, version, true));
  rest.get('/extensions', endpoint(state, 200, extensions));
  rest.get('/timezone', endpoint(state, 200, timezone));
  rest.get('/time', endpoint(state, 200, time));
  rest.get('/valid_login', endpoint(state, 200, validLogin));
  rest.get('/user', endpoint(state, 200, users));
  rest.get('/parameters', endpoint(state, 200, parameters));
  rest.get('/field/bug', endpoint(state, 200, fields));
  rest.get('/field/bug/:name', endpoint(state, 200, fields));
  rest.get('/product', endpoint(state, 200, products));
  rest.get('/product/:name', endpoint(state, 200, products));
  for (const path of ['/product_accessible', '/product_enterable', '/product_selectable']) rest.get(path, endpoint(state, 200, productIds));
  rest.get('/bug', endpoint(state, 200, search));
  rest.post('/bug', endpoint(state, 200, createBug));
  rest.get('/bug/', endpoint(state, 200, getBugs));
  rest.get('/bug/comment/:name', endpoint(state, 200, getCommentsById));
  rest.get('/bug/:name', endpoint(state, 200, getBugs));
  rest.put('/bug/:name', endpoint(state, 200, updateBugs));
  rest.get('/bug/:name/comment', endpoint(state, 200, getComments));
  rest.post('/bug/:name/comment', endpoint(state, 201, createComment));
  rest.get('/bug/:name/history', endpoint(state, 200, getHistory));
  rest.all('*', notFound);
  return rest;
}

function notFound(context: Context): Response {
  const path = context.req.path.replace(/^\/rest(\.cgi)?/, '');
  return errorAnswer(noRoute(context.req.method, path), 404);
}
