import type { Lane } from '../../../src/model/runtime.ts';

export interface TrackerRequest {
  readonly method: string;
  /** Below `/rest`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The body as it was sent. */
  readonly text: string;
  readonly url: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** Answers requests in place of a tracker, in order of arrival, and keeps what it was asked. */
export function fakeTracker(answer: (asked: TrackerRequest) => Reply | Promise<Reply>) {
  const asked: TrackerRequest[] = [];
  const ask: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const body: Record<string, unknown> = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    const path = url.pathname.replace(/^.*?\/rest/, '');
    const text = typeof init?.body === 'string' ? init.body : '';
    const one = {
      method: init?.method ?? 'GET',
      path,
      query: url.searchParams,
      headers: new Headers(init?.headers),
      body,
      text,
      url: url.href,
    };
    asked.push(one);
    const reply = await answer(one);
    const answered = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    return new Response(answered, {
      status: reply.status ?? 200,
      headers: { 'content-type': 'application/json', ...reply.headers },
    });
  };
  return { asked, fetch: ask };
}

/** Lets every request through at once, and counts what it costs. */
export function openLane(): Lane & { readonly costs: string[] } {
  const costs: string[] = [];
  return {
    costs,
    run(cost, request) {
      costs.push(cost);
      return request();
    },
  };
}
