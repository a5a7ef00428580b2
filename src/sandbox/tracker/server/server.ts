import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock } from '../../../model/runtime.ts';
import { type FaultSource, noFaults } from '../../server/faults.ts';
import { listen } from '../../server/listen.ts';
import { way } from '../installation/versions.ts';
import type { TrackerState } from '../world/state.ts';
import type { TrackerWorld } from '../world/world.ts';
import { endpoint, failure, json } from './call.ts';
import { noRoute } from './errors.ts';
import { type Writing, withFaults, withLostParallels } from './faults.ts';
import { jsonRpc } from './jsonrpc.ts';
import { respond } from './negotiation.ts';
import { activityPage, bugPage, listPage, missingPage } from './pages.ts';
import { routes } from './routes.ts';

export interface TrackerServerOptions {
  readonly faults?: FaultSource;
  /**
   * Whether a write is lost silently if it begins while another one of its account is running, as on harmony and BMO.
   */
  readonly losesParallelWrites?: boolean;
  /** Delays slow answers; without it they come at once. */
  readonly clock?: Pick<Clock, 'sleep'>;
  /** How far the web server's clock, which dates answers, is ahead of the clock that stamps bugs. */
  readonly dateSkewMs?: number;
}

/** The tracker's HTTP server: the REST interface in the dialect of the world's version, and a few HTML pages. */
export function trackerServer(world: TrackerWorld, options: TrackerServerOptions = {}): Hono {
  const { state } = world;
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    if (way(state, 'closes')) context.res.headers.set('Connection', 'close');
    context.res.headers.set('Date', new Date(state.now() + (options.dateSkewMs ?? 0)).toUTCString());
  });
  app.use(async (_context, next) => (state.settings.shutdownhtml === '' ? next() : shutdownPage(state)));
  const rest = restApp(state, options);
  app.route('/rest', rest);
  app.route('/rest.cgi', rest);
  app.post('/jsonrpc.cgi', jsonRpc(state));
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"] } }));
  app.get('/', (context) => context.html(listPage(state, null)));
  app.get('/buglist.cgi', (context) => context.html(listPage(state, context.req.query('product') ?? null)));
  for (const [path, pageOf] of [
    ['/show_bug.cgi', bugPage],
    ['/show_activity.cgi', activityPage],
  ] as const)
    app.get(path, (context) => {
      const page = pageOf(state, Number(context.req.query('id')));
      return page === null ? context.html(missingPage(), 404) : context.html(page);
    });
  return app;
}

export interface ServedTrackerOptions extends TrackerServerOptions {
  readonly port: number;
  /** May replace every answer, after all changes of the request are in the state. */
  readonly finish?: (answer: Response) => Response;
}

export interface ServedTracker {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the tracker on the loopback interface; port 0 takes a free one. */
export async function serveTracker(world: TrackerWorld, options: ServedTrackerOptions): Promise<ServedTracker> {
  const app = trackerServer(world, options);
  const { port: wanted, finish = (answer) => answer } = options;
  const fetch = async (request: globalThis.Request, env: object) => finish(await app.fetch(request, env));
  const { port, close } = await listen(fetch, wanted);
  return { url: `http://127.0.0.1:${port}`, close };
}

/** While the installation is shut down, every address answers with a page that says so. */
function shutdownPage({ settings }: TrackerState): Response {
  const page = `<!DOCTYPE html><html><head><title>Bugzilla is Down</title></head><body>${settings.shutdownhtml}</body></html>`;
  return new Response(page, {
    status: 503,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Retry-After': '3600' },
  });
}

function restApp(
  state: TrackerState,
  { faults = noFaults, clock, losesParallelWrites = way(state, 'losesParallelWrites') }: TrackerServerOptions,
): Hono {
  const rest = new Hono();
  const notFound = notFoundIn(state);
  const writing: Writing = new Map();
  // Before anything that takes time.
  if (losesParallelWrites) rest.use((context, next) => withLostParallels(context, next, writing));
  rest.use(async (context, next) => {
    if (context.req.method === 'HEAD') return notFound(context);
    if (context.req.url.length > 8190) return tooLong(state);
    return withFaults(context, next, faults, { state, clock });
  });
  for (const { method, path, success, answer, access } of routes)
    rest.on(method, path, endpoint(state, success, answer, access));
  for (const path of new Set(routes.map((route) => route.path))) rest.options(path, optionsOf(path));
  rest.all('*', notFound);
  return rest;
}

const tooLong = (state: TrackerState): Response => {
  if (way(state, 'longAddress') === 414)
    return new Response(longPage, { status: 414, headers: { 'Content-Type': 'text/html; charset=iso-8859-1' } });
  return new Response(null, { status: 302, headers: { Location: `${state.url}/` } });
};

/** The web server answers it, before the tracker. */
const longPage = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html><head>
<title>414 Request-URI Too Long</title>
</head><body>
<h1>Request-URI Too Long</h1>
<p>The requested URL's length exceeds the capacity
limit for this server.<br />
</p>
</body></html>
`;

/** Answers with the methods of a path. */
const optionsOf = (path: string) => (): Response => {
  const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
  const answer = json(200, {});
  for (const name of ['Allow', 'Access-Control-Allow-Methods']) answer.headers.set(name, allowed.toSorted().join(', '));
  return answer;
};

const notFoundIn =
  (state: TrackerState) =>
  (context: Context): Response => {
    const path = context.req.path.replace(/^\/rest(\.cgi)?/, '');
    const error = failure(state, noRoute(context.req.method, path), 404);
    return respond(context, state, { ...error, callback: null, isAnonymous: true });
  };
