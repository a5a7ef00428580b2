import type { Config, GithubCredential } from './config.ts';
import type { Complaint } from './problem.ts';

/** A secret as it was read again, or why it cannot be used. */
export type Reread<Value> =
  | { readonly value: Value; readonly complaints?: never }
  | { readonly value?: never; readonly complaints: readonly Complaint[] };

/** The secrets as their files have them now: a rotation needs no restart. */
export interface SecretBook {
  apiKey(): string;
  credential(): GithubCredential;
}

export function secretBook({ tracker, github, reread, secrets }: Config, warn: (message: string) => void): SecretBook {
  const keep = (secret: string): void => {
    if (!secrets.includes(secret)) secrets.push(secret);
  };
  return {
    apiKey: following(tracker.apiKey, reread.apiKey, { keep, warn }),
    credential: following(github.credential, reread.credential, {
      keep: (found) => keep(found.kind === 'app' ? found.privateKey : found.token),
      warn,
    }),
  };
}

/** Keeps the last valid secret while its file is invalid, and warns once about each reason. */
function following<Value>(
  first: Value,
  read: () => Reread<Value>,
  { keep, warn }: { readonly keep: (found: Value) => void; readonly warn: (message: string) => void },
): () => Value {
  let last = first;
  let warned = '';
  return () => {
    const { value, complaints = [] } = read();
    const why = complaints.map(({ message }) => message).join('; ');
    if (why !== '' && why !== warned) warn(`A secret cannot be read again, so the last one stays in use: ${why}.`);
    warned = why;
    if (value !== undefined) {
      keep(value);
      last = value;
    }
    return last;
  };
}
