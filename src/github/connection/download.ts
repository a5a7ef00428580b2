import type { Fetch, Received } from '../../model/runtime.ts';
import type { RawAnswer } from './classify-answer.ts';

/** The result of a download: the content, or another answer. Throws what `fetch` throws. */
type Downloaded =
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | { readonly kind: 'answer'; readonly answer: RawAnswer };

export interface DownloadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly reach: { readonly api: Fetch; readonly storage: Fetch };
}

/**
 * Downloads from GitHub's API, which may redirect to a storage address; that address grants access by itself, so it
 * gets no credentials. Octokit would decode the content as text if its type says so.
 */
export async function download({ url, headers, timeoutMs, reach }: DownloadOptions): Promise<Downloaded> {
  const first = await reach.api(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const place = first.status >= 300 && first.status < 400 ? first.headers.get('location') : null;
  if (place == null) return received(first);
  const options = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
  return received(await reach.storage(new URL(place, url), options));
}

async function received(response: Received): Promise<Downloaded> {
  if (response.status === 200) return { kind: 'content', bytes: new Uint8Array(await response.arrayBuffer()) };
  const text = await response.text();
  return {
    kind: 'answer',
    answer: { status: response.status, headers: Object.fromEntries(response.headers), data: dataIn(text) },
  };
}

function dataIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
