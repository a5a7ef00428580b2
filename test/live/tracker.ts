import { asciiJson } from './ascii-json.ts';

/**
 * A live tracker as people and oracles reach it: plain HTTP with a key in the query, which every version reads. It
 * shares nothing with the client of the bridge, whose mistakes it is there to notice.
 */
export interface LiveTracker {
  /** Throws `Refused` when the tracker answers with an error. */
  ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, options?: Asked): Promise<T>;
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The tracker's rules forbid it. */
export class Refused extends Error {}

/** A connection that is kept may be closed by the tracker while the next request is under way. */
const always = { accept: 'application/json', connection: 'close' };

const answerMaxMs = 60_000;
const triesMax = 3;

/** @param key null for an anonymous reader */
export function openLiveTracker(url: string, key: string | null): LiveTracker {
  return {
    async ask(method, path, { query = {}, body } = {}) {
      const parameters = new URLSearchParams(key === null ? query : { ...query, Bugzilla_api_key: key });
      for (let tries = 1; ; tries += 1) {
        const response = await fetch(`${url}/rest${path}?${parameters}`, {
          method,
          signal: AbortSignal.timeout(answerMaxMs),
          headers: { ...always, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body === undefined ? null : asciiJson(body),
        });
        const text = await response.text();
        const answer = text.startsWith('{')
          ? JSON.parse(text)
          : { error: true, message: `status ${response.status}: ${text.slice(0, 200)}` };
        if (answer.error !== true) return answer;
        const message = String(answer.message);
        // Two writers of one bug may deadlock; a person would press the button again. What makes something may have made
        // it all the same.
        if (method === 'PUT' && tries < triesMax && /deadlock/iu.test(message)) continue;
        throw new Refused(`${method} ${path}: ${message}`);
      }
    },
  };
}

export interface LiveBug {
  readonly id: number;
  readonly summary: string;
  readonly status: string;
  readonly resolution: string;
  readonly severity: string;
  readonly creator: string;
}

export interface LiveComment {
  readonly id: number;
  readonly count: number;
  readonly text: string;
  readonly creator: string;
  readonly is_private: boolean;
}

const fields = 'id,summary,status,resolution,severity,creator';
const pageSize = 500;

/** Every bug of a product that is shown to whoever asks, in order of the ids. */
export async function bugsOf(tracker: LiveTracker, product: string): Promise<readonly LiveBug[]> {
  const found: LiveBug[] = [];
  for (;;) {
    const query = {
      product,
      include_fields: fields,
      order: 'bug_id',
      limit: String(pageSize),
      offset: String(found.length),
    };
    const { bugs } = await tracker.ask<{ bugs: readonly LiveBug[] }>('GET', '/bug', { query });
    found.push(...bugs);
    if (bugs.length < pageSize) return found;
  }
}

/** The comments of a bug in their order, the description first. */
export async function commentsOf(tracker: LiveTracker, bug: number): Promise<readonly LiveComment[]> {
  const { bugs } = await tracker.ask<{ bugs: Record<string, { comments: readonly LiveComment[] }> }>(
    'GET',
    `/bug/${bug}/comment`,
  );
  return bugs[bug]?.comments ?? [];
}
