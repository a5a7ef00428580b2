import type { TrackerClient } from './client.ts';
import type { Identity } from './hello.ts';

export interface Proven {
  /** Its requests wait for the proof, and fail with it. */
  readonly client: TrackerClient;
  /** Null for a stranger. Throws `TrackerError`; the next call then tries again. */
  identity(): Promise<Identity | null>;
}

/** Proves the key once, before the first request: a key that is ignored would be no error anywhere, and reads would silently lack things. */
export function proven(client: TrackerClient): Proven {
  let proof: Promise<Identity | null> | null = null;
  const identity = (): Promise<Identity | null> => {
    proof ??= client.identify().catch((failure: unknown) => {
      proof = null;
      throw failure;
    });
    return proof;
  };
  return {
    identity,
    client: {
      url: client.url,
      hello: client.hello,
      identify: identity,
      read: async (path, query, schema) => {
        await identity();
        return client.read(path, query, schema);
      },
      create: async (path, body, schema) => {
        await identity();
        return client.create(path, body, schema);
      },
      edit: async (path, body, schema) => {
        await identity();
        return client.edit(path, body, schema);
      },
    },
  };
}
