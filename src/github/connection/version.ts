import type { Fetch, Received, Sent } from '../../model/runtime.ts';

/**
 * The versions of the REST interface that we read, the newest first. They differ in nothing that we read or write.
 * Source: docs.github.com, "API Versions" and "Breaking changes".
 */
export const apiVersions = ['2026-03-10', '2022-11-28'] as const;
export type ApiVersion = (typeof apiVersions)[number];
const newest: ApiVersion = apiVersions[0];

const header = 'x-github-api-version';

/** Which version a server is asked for. A server that does not know a version answers 400 and does nothing. */
export interface VersionInUse {
  current(): ApiVersion;
  /** Begins with a version that was learnt earlier, or with the newest. */
  begin(learnt: string | null): void;
  /** Names the version in each request, and repeats one that was refused for it in the other version. */
  readonly fetch: Fetch;
}

export function versionInUse(send: Fetch): VersionInUse {
  let current = newest;
  /** An address that the server has shown in this version, if any. */
  let served: string | null = null;
  const sendIn = (version: string, ...[address, init]: Parameters<Fetch>): Promise<Received> =>
    send(address, { ...init, headers: { ...init?.headers, [header]: version } });
  /** A server may have got another version since, so what it served is read once more. */
  async function isServed(version: string, second: Received, init: Sent | undefined): Promise<boolean> {
    if (served === null || mayLimit(second)) return served !== null;
    const shown = await sendIn(version, served, { ...init, method: 'GET', body: null }).catch(() => null);
    return shown?.status !== 400;
  }
  return {
    current: () => current,
    begin(learnt) {
      current = apiVersions.find((version) => version === learnt) ?? newest;
      served = null;
    },
    async fetch(address, init) {
      const chosen = init?.headers?.[header] ?? null;
      const version = chosen ?? current;
      const response = await sendIn(version, address, init);
      if (chosen !== null) return response;
      if (response.status !== 400) {
        if (response.status < 400 && version === current && isRead(init)) served = String(address);
        return response;
      }
      const other = apiVersions.find((each) => each !== version);
      if (other === undefined) return response;
      const second = await sendIn(other, address, init);
      // A server may serve a version at some addresses only. Where it still serves this one, a refusal in the other one
      // says nothing of versions.
      const isBetter = second.status < 400 || (isAnswer(second) && !(await isServed(version, second, init)));
      if (!isBetter) return response;
      current = other;
      served = second.status < 400 && isRead(init) ? String(address) : null;
      return second;
    },
  };
}

const isRead = (init: Sent | undefined): boolean => (init?.method ?? 'GET') === 'GET';

/** Of a fault and a second 400, nothing is learnt. */
const isAnswer = ({ status }: Received): boolean => status > 400 && status < 500;

/** After a limit, no further request is sent. */
const mayLimit = ({ status }: Received): boolean => status === 403 || status === 429;
