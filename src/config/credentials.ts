import { readFileSync } from 'node:fs';
import type { GithubCredential, HttpAccess } from './config.ts';
import type { Complaint, Path } from './problem.ts';
import type { WrittenConfig } from './schema/schema.ts';

export type Written<Value> =
  | { readonly value: Value; readonly complaints?: never }
  | { readonly value?: never; readonly complaints: readonly Complaint[] };

/** The tracker's API key, from the configuration or from the file that it names. */
export function trackerKey(tracker: WrittenConfig['tracker']): Written<string> {
  const path = ['tracker'];
  if (tracker.apiKey === undefined && tracker.apiKeyFile === undefined) {
    return complaint(path, "tracker needs apiKey or apiKeyFile: the API key of the bridge's account");
  }
  return secretOf(path, 'apiKey', tracker.apiKey, tracker.apiKeyFile, keyComplaint);
}

/** The GitHub credentials: exactly one of a token, a file with a token, and an App. */
export function githubCredential(github: WrittenConfig['github']): Written<GithubCredential> {
  const path = ['github'];
  const { token, tokenFile, app } = github;
  if ([token, tokenFile, app].filter((given) => given !== undefined).length !== 1) {
    return complaint(path, 'github needs exactly one of token, tokenFile and app');
  }
  if (app !== undefined) return appCredential([...path, 'app'], app);
  const read = secretOf(path, 'token', token, tokenFile, keyComplaint);
  return read.value === undefined ? read : { value: { kind: 'token', token: read.value } };
}

export type HttpSecrets = Pick<HttpAccess, 'token' | 'githubSecret' | 'trackerSecret'>;

type WrittenSecrets = Pick<NonNullable<WrittenConfig['http']>, keyof HttpSecrets | `${keyof HttpSecrets}File`>;

/** The secrets of the HTTP server; null where it needs none, or is off. */
export function httpSecrets(http: WrittenSecrets): Written<HttpSecrets> {
  const read = (name: keyof HttpSecrets): Written<string | null> =>
    http[name] === undefined && http[`${name}File`] === undefined
      ? { value: null }
      : secretOf(['http'], name, http[name], http[`${name}File`], secretComplaint);
  const [token, githubSecret, trackerSecret] = [read('token'), read('githubSecret'), read('trackerSecret')];
  if (token.value === undefined || githubSecret.value === undefined || trackerSecret.value === undefined) {
    return { complaints: [token, githubSecret, trackerSecret].flatMap(({ complaints }) => complaints ?? []) };
  }
  return { value: { token: token.value, githubSecret: githubSecret.value, trackerSecret: trackerSecret.value } };
}

function appCredential(path: Path, app: NonNullable<WrittenConfig['github']['app']>): Written<GithubCredential> {
  const key: Written<string> =
    app.privateKey === undefined && app.privateKeyFile === undefined
      ? complaint(path, 'github.app needs privateKey or privateKeyFile')
      : secretOf(path, 'privateKey', app.privateKey, app.privateKeyFile, pemComplaint);
  const numbers = (['id', 'installationId'] as const).filter((name) => !/^[1-9]\d{0,14}$/.test(String(app[name])));
  const complaints = numbers.map((name) => ({ path: [...path, name], message: `github.app.${name} must be a number` }));
  if (key.value === undefined || complaints.length > 0)
    return { complaints: [...complaints, ...(key.complaints ?? [])] };
  // Environment variables often contain the line breaks of a key as backslash and n.
  const privateKey = key.value.replaceAll('\\n', '\n');
  return { value: { kind: 'app', id: Number(app.id), installationId: Number(app.installationId), privateKey } };
}

export function secretOf(
  path: Path,
  name: string,
  direct: string | undefined,
  file: string | undefined,
  complaintOf: (secret: string) => string | null,
): Written<string> {
  const at = [...path, direct === undefined ? `${name}File` : name];
  const label = at.join('.');
  if (direct !== undefined && file !== undefined)
    return complaint(at, `give either ${label} or ${label}File, not both`);
  let secret = direct ?? '';
  if (file !== undefined) {
    try {
      secret = readFileSync(file, 'utf8').trim();
    } catch (error) {
      return complaint(at, `the file named by ${label} cannot be read (${codeOf(error)})`);
    }
  }
  const wrong = complaintOf(secret);
  return wrong === null ? { value: secret } : complaint(at, `${label} ${wrong}`);
}

/** A key becomes an HTTP header, where anything but visible ASCII fails with obscure errors. */
export function keyComplaint(secret: string): string | null {
  if (secret === '') return 'is empty';
  return /^[\x21-\x7e]+$/.test(secret)
    ? null
    : 'contains spaces, line breaks or other characters that no key has; was something else pasted with it?';
}

/** A secret that admits clients from the network must be hard to guess. */
const secretLengthMin = 16;

function secretComplaint(secret: string): string | null {
  const wrong = keyComplaint(secret);
  if (wrong !== null || secret.length >= secretLengthMin) return wrong;
  return `has fewer than ${secretLengthMin} characters; "openssl rand -hex 24" makes a good one`;
}

function pemComplaint(secret: string): string | null {
  return secret.includes('PRIVATE KEY-----')
    ? null
    : 'contains no private key in PEM format (-----BEGIN ... PRIVATE KEY-----)';
}

const complaint = (path: Path, message: string): { readonly complaints: readonly Complaint[] } => ({
  complaints: [{ path, message }],
});

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
