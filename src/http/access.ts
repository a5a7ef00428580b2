import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

const cookieName = 'bugferry';
const cookieAgeSeconds = 30 * 24 * 3600;
const purpose = 'session 1';

/** Whether whoever asks may see more than health: the token as `Authorization: Bearer`, or the cookie that signing in gave. */
export function isKnown(context: Context, token: string | null): boolean {
  if (token === null) return isOwnName(context.req.header('host'));
  const [, shown] = /^Bearer +(\S+)$/iu.exec(context.req.header('authorization') ?? '') ?? [];
  if (shown !== undefined) return isSameSecret(shown, token);
  const cookie = getCookie(context, cookieName);
  return cookie !== undefined && isSameSecret(cookie, sealOf(token, purpose));
}

/** Lets nobody pass who is not known. People are shown where to sign in; programs are told. */
export function authenticate(token: string | null): MiddlewareHandler {
  return async (context, next) => {
    if (isKnown(context, token)) return next();
    if (token === null) return context.text('Without http.token in the configuration, only 127.0.0.1 and localhost are answered.\n', 403);
    const wantsPage = context.req.method === 'GET' && (context.req.header('accept') ?? '').includes('text/html');
    if (wantsPage) return context.redirect(`/sign-in?to=${encodeURIComponent(placeOf(context.req.url))}`);
    return context.text('The token of http.token is wanted, as "Authorization: Bearer ...".\n', 401, { 'WWW-Authenticate': 'Bearer' });
  };
}

/** Remembers in the browser that the token was shown. The cookie is not the token, and ends with it. */
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

/** Where to go after signing in: a path of ours, and never another host. */
export function placeOf(address: string): string {
  const url = URL.parse(address, 'http://localhost');
  if (url === null || !url.pathname.startsWith('/') || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

/** A page elsewhere can have a name of its own resolve to this machine; it then still shows that name. */
function isOwnName(host: string | undefined): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/u.test(host ?? '');
}

/** Whether two secrets are equal, in a time that tells nothing about either. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** What proves that somebody knew the secret, without being it. */
export const sealOf = (secret: string, purpose: string): string => createHmac('sha256', secret).update(purpose).digest('base64url');

/** A secret for as long as this process lives. */
export const freshSecret = (): string => randomBytes(32).toString('base64url');
