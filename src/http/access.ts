import { randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Clock } from '../model/runtime.ts';
import { guardToken } from './guard-token.ts';

const cookieName = 'bugferry';
const sessionMs = 30 * 24 * 3_600_000;
/** More than people have browsers; the oldest session ends first. */
const sessionsMax = 1000;

/** Admits requests. */
export interface Access {
  /**
   * Whether a request may see more than health: it has the token as `Authorization: Bearer`, or the cookie from signing
   * in.
   */
  isKnown(context: Context): Promise<boolean>;
  /** Sets a cookie for a client that sends the token. Answers whether the token was right. */
  signIn(context: Context, shown: string): Promise<boolean>;
  /** Ends the session, so that its cookie is worth nothing to anyone who has a copy. */
  signOut(context: Context): void;
}

interface AccessOptions {
  /** Null admits every client on this machine. */
  readonly token: string | null;
  readonly clock: Clock;
  readonly warned: (words: string) => void;
}

/** Sessions are in memory only: a restart signs everyone out. */
export function openAccess({ token, clock, warned }: AccessOptions): Access {
  const sessions = new Map<string, number>();
  const isRight = token === null ? async () => false : guardToken(token, clock, warned);
  return {
    async isKnown(context) {
      if (token === null) return isOwnName(context.req.header('host'));
      const endsAt = sessions.get(getCookie(context, cookieName) ?? '');
      if (endsAt !== undefined && endsAt > clock.now()) return true;
      const [, shown] = /^Bearer +(\S+)$/iu.exec(context.req.header('authorization') ?? '') ?? [];
      return shown !== undefined && (await isRight(shown));
    },
    async signIn(context, shown) {
      if (!(await isRight(shown))) return false;
      const session = freshSecret();
      sessions.set(session, clock.now() + sessionMs);
      for (const oldest of [...sessions.keys()].slice(0, Math.max(0, sessions.size - sessionsMax)))
        sessions.delete(oldest);
      const secure =
        new URL(context.req.url).protocol === 'https:' || context.req.header('x-forwarded-proto') === 'https';
      setCookie(context, cookieName, session, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: sessionMs / 1000,
        secure,
      });
      return true;
    },
    signOut(context) {
      sessions.delete(getCookie(context, cookieName) ?? '');
      deleteCookie(context, cookieName, { path: '/' });
    },
  };
}

/** Rejects unknown clients. Browsers are redirected to the sign-in page; programs get 401. */
export function authenticate(access: Access, token: string | null): MiddlewareHandler {
  return async (context, next) => {
    if (await access.isKnown(context)) return next();
    if (token === null)
      return context.text(
        'Without http.token in the configuration, only requests to 127.0.0.1 and localhost are answered.\n',
        403,
      );
    const wantsPage = context.req.method === 'GET' && (context.req.header('accept') ?? '').includes('text/html');
    if (wantsPage) return context.redirect(`/sign-in?to=${encodeURIComponent(placeOf(context.req.url))}`);
    return context.text('This needs the token of http.token, as "Authorization: Bearer ...".\n', 401, {
      'WWW-Authenticate': 'Bearer',
    });
  };
}

/**
 * Whether the page of another site sent the browser here. Such a request gets nothing that costs requests to a side. A
 * browser says where a request comes from; a program on this machine says nothing, and may ask.
 */
export function isFromElsewhere(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const from = context.req.header('origin') ?? context.req.header('referer');
  return from !== undefined && URL.parse(from)?.host !== context.req.header('host');
}

/** The destination after signing in: one of our paths, never another host. */
export function placeOf(address: string): string {
  const url = URL.parse(address, 'http://localhost');
  if (url === null || !url.pathname.startsWith('/') || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

/** Against DNS rebinding: a foreign name may resolve to this machine, but the Host header still shows it. */
function isOwnName(host: string | undefined): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/u.test(host ?? '');
}

/** A secret for the lifetime of this process. */
export const freshSecret = (): string => randomBytes(32).toString('base64url');
