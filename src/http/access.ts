import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

const cookieName = 'bugferry';
const cookieAgeSeconds = 30 * 24 * 3600;
const purpose = 'session 1';

/** Whether a request may see more than health: it has the token as `Authorization: Bearer`, or the cookie from signing in. */
export function isKnown(context: Context, token: string | null): boolean {
  if (token === null) return isOwnName(context.req.header('host'));
  const [, shown] = /^Bearer +(\S+)$/iu.exec(context.req.header('authorization') ?? '') ?? [];
  if (shown !== undefined) return isSameSecret(shown, token);
  const cookie = getCookie(context, cookieName);
  return cookie !== undefined && isSameSecret(cookie, sealOf(token, purpose));
}

/** Rejects unknown clients. Browsers are redirected to the sign-in page; programs get 401. */
export function authenticate(token: string | null): MiddlewareHandler {
  return async (context, next) => {
    if (isKnown(context, token)) return next();
    if (token === null)
      return context.text('Without http.token in the configuration, only requests to 127.0.0.1 and localhost are answered.\n', 403);
    const wantsPage = context.req.method === 'GET' && (context.req.header('accept') ?? '').includes('text/html');
    if (wantsPage) return context.redirect(`/sign-in?to=${encodeURIComponent(placeOf(context.req.url))}`);
    return context.text('This needs the token of http.token, as "Authorization: Bearer ...".\n', 401, { 'WWW-Authenticate': 'Bearer' });
  };
}

/** Sets a cookie for a client that sent the token. The cookie is not the token, and becomes invalid with it. */
export function signIn(context: Context, token: string): void {
  const isSecure = new URL(context.req.url).protocol === 'https:' || context.req.header('x-forwarded-proto') === 'https';
  setCookie(context, cookieName, sealOf(token, purpose), {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: cookieAgeSeconds,
    secure: isSecure,
  });
}

export const signOut = (context: Context): void => void deleteCookie(context, cookieName, { path: '/' });

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

/** Whether two secrets are equal, compared in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Shows that a client knew the secret, without revealing it. */
export const sealOf = (secret: string, purpose: string): string => createHmac('sha256', secret).update(purpose).digest('base64url');

/** A secret for the lifetime of this process. */
export const freshSecret = (): string => randomBytes(32).toString('base64url');
