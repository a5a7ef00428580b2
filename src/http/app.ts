import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import type { Scrub } from '../model/runtime.ts';
import { authenticate, isKnown } from './access.ts';
import type { AdminPort } from './admin-port.ts';
import { assetRoutes } from './assets.ts';
import { boardRoutes, signInRoutes } from './board.ts';
import { type HookSecrets, hookRoutes } from './hooks.ts';

export interface ServerAccess extends HookSecrets {
  /** Null lets everybody in who comes from this machine. */
  readonly token: string | null;
  /** Takes our secrets out of whatever is answered: servers may repeat them in errors, and people in texts. */
  readonly scrub: Scrub;
  /** Hears of what a page could not do by a fault of ours or of the state; whoever asked only learns that it failed. */
  readonly failed: (error: unknown) => void;
}

/**
 *   /healthz        200 while the process lives                        for everybody
 *   /readyz         200 while every route does its work, else 503      for everybody; why not, for those who are known
 *   /hooks/...      webhooks                                           for those who have the secret
 *   /sign-in        where people show the token                        for everybody
 *   /assets/...     style, script and charts of the pages              for everybody
 *   /metrics        for Prometheus                                     for those who are known
 *   everything else the pages for people                               for those who are known
 */
export function serverApp(adminPort: AdminPort, access: ServerAccess): Hono {
  const app = new Hono();
  app.use(strictHeaders);
  app.use(scrubbed(access.scrub));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    access.failed(error);
    return context.text('This cannot be shown now; the log of the bridge tells why.\n', 500);
  });
  app.get('/healthz', (context) => context.json({ alive: true }));
  app.get('/readyz', (context) => {
    const { isReady, routes } = adminPort.readiness();
    return context.json({ ready: isReady, ...(isKnown(context, access.token) ? { routes } : {}) }, isReady ? 200 : 503);
  });
  app.route('/hooks', hookRoutes(adminPort, access));
  app.route('/assets', assetRoutes());
  app.route('/', signInRoutes(access.token));
  app.use(authenticate(access.token));
  app.get('/metrics', async (context) => {
    const { type, text } = await adminPort.metrics();
    return context.body(text, 200, { 'Content-Type': type });
  });
  app.route('/', boardRoutes(adminPort, access.token));
  return app;
}

/** Pages, JSON and metrics, but no assets and no stream of events, which hold nothing of anybody's. */
function scrubbed({ values }: Scrub): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (!/^(?:text\/(?:html|plain)|application\/json)/u.test(context.res.headers.get('content-type') ?? '')) return;
    const { status, headers } = context.res;
    const text = values(await context.res.text());
    context.res = new Response(text, { status, headers });
  };
}

/** Nothing is loaded from elsewhere, framed elsewhere or kept by anybody in between. */
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
