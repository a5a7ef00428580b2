import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock, Scrub } from '../model/runtime.ts';
import { authenticate, openAccess } from './access.ts';
import type { AdminPort } from './admin-port.ts';
import { assetRoutes } from './assets.ts';
import { boardRoutes, signInRoutes } from './board.ts';
import { type HookSecrets, hookRoutes } from './hooks.ts';

export interface ServerAccess extends HookSecrets {
  /** Null admits every client on this machine. */
  readonly token: string | null;
  /** Removes our secrets from all answers: servers may repeat them in errors, and users in texts. */
  readonly scrub: Scrub;
  /** Reports an error of bugferry or of the state file; the client only learns that the page failed. */
  readonly failed: (error: unknown) => void;
  /** Reports something that operators should know but need not repair. */
  readonly warned: (words: string) => void;
  readonly clock: Clock;
}

/**
 *   /healthz        200 while the process is alive            public
 *   /readyz         200 while every route works, else 503     public; the reasons need the token
 *   /hooks/...      webhooks                                  need the secret of the side
 *   /sign-in        the form for the token                    public
 *   /assets/...     styles, script and charts of the pages    public
 *   /metrics        for Prometheus                            needs the token
 *   everything else the dashboard                             needs the token
 */
export function serverApp(adminPort: AdminPort, options: ServerAccess): Hono {
  const { token, clock, warned } = options;
  const app = new Hono();
  const access = openAccess({ token, clock, warned });
  app.use(strictHeaders);
  app.use(scrubbed(options.scrub));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    // The client disconnected during its request and reads no answer.
    if (context.req.raw.signal.aborted) return context.text('The request ended early.\n', 400);
    options.failed(error);
    return context.text('The page cannot be shown now; the log of the bridge says why.\n', 500);
  });
  app.get('/healthz', (context) => context.json({ alive: true }));
  app.get('/readyz', async (context) => {
    const { isReady, routes } = adminPort.readiness();
    return context.json(
      { ready: isReady, ...((await access.isKnown(context)) ? { routes } : {}) },
      isReady ? 200 : 503,
    );
  });
  app.route('/hooks', hookRoutes(adminPort, options));
  app.route('/assets', assetRoutes());
  app.route('/', signInRoutes(access, token));
  app.use(authenticate(access, token));
  app.get('/metrics', async (context) => {
    const { type, text } = await adminPort.metrics();
    return context.body(text, 200, { 'Content-Type': type });
  });
  app.route('/', boardRoutes(adminPort, token));
  return app;
}

/** Scrubs pages, JSON and metrics; assets and event streams contain no data. */
function scrubbed({ values }: Scrub): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (!/^(?:text\/(?:html|plain)|application\/json)/u.test(context.res.headers.get('content-type') ?? '')) return;
    const { status, headers } = context.res;
    const text = values(await context.res.text());
    context.res = new Response(text, { status, headers });
  };
}

/** Pages load nothing from elsewhere, cannot be framed, and are not cached by proxies. */
const strictHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  referrerPolicy: 'same-origin',
  strictTransportSecurity: false,
});
