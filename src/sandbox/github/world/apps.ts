import { createVerify } from 'node:crypto';
import { badAssertion } from '../server/errors.ts';
import type { User } from './records.ts';

/** A GitHub App with one installation. It writes as `user`, whose login ends in `[bot]`. */
export interface App {
  readonly id: number;
  readonly slug: string;
  readonly installationId: number;
  /** PEM. */
  readonly publicKey: string;
  readonly user: User;
}

/** The longest that an App's assertion may be valid. */
const validMs = 600_000;

/** What the state of the sandbox knows of Apps. */
interface AppDirectory {
  readonly apps: readonly App[];
  readonly now: () => number;
}

/**
 * The account of the App that signed an assertion. Throws 401, as GitHub does, if its times or its signature are wrong.
 */
export function signerOf({ apps, now }: AppDirectory, assertion: string): User {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  if (!assertion.startsWith('eyJ')) throw badAssertion('A JSON web token could not be decoded');
  const said: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  const [iat, exp] = [Number(claim(said, 'iat')), Number(claim(said, 'exp'))];
  const app = apps.find(({ id }) => String(id) === String(claim(said, 'iss')));
  if (app === undefined) throw badAssertion('Integration not found');
  if (!createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(app.publicKey, signature, 'base64url')) {
    throw badAssertion('A JSON web token could not be decoded');
  }
  if (iat * 1000 > now()) {
    throw badAssertion(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (exp * 1000 > now() + validMs) throw badAssertion("'Expiration time' claim ('exp') is too far in the future");
  if (exp * 1000 <= now()) {
    throw badAssertion(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  return app.user;
}

const claim = (said: unknown, name: string): unknown =>
  typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined;

export function appWith({ apps }: Pick<AppDirectory, 'apps'>, user: User): App {
  const app = apps.find((each) => each.user === user);
  if (app === undefined) throw badAssertion('Integration not found');
  return app;
}

/** POST /app/installations/{installation_id}/access_tokens: a new token for the account that the App writes as. */
export function issueToken(
  state: Pick<AppDirectory, 'now'> & { lastId: number },
  user: User,
): { readonly token: string; readonly expires_at: string } {
  state.lastId += 7;
  user.token = `ghs_${state.lastId}`;
  user.tokenEndsAt = state.now() + 3_600_000;
  return { token: user.token, expires_at: new Date(user.tokenEndsAt).toISOString() };
}
