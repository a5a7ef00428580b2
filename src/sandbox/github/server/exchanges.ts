import { channel } from 'node:diagnostics_channel';
import type { Context, Next } from 'hono';
import { uploadFolder } from '../shapes/release.ts';

/** A request to the API or for a page, and its answer. */
export interface GithubExchange {
  readonly method: string;
  readonly url: URL;
  /** The body of the request; empty for a file. */
  readonly text: string;
  /** Null if the connection was dropped. */
  readonly answer: { readonly status: number; readonly headers: Headers; readonly text: string } | null;
}

/**
 * Publishes every exchange of every server, whoever starts it, to those who judge the sandbox. A channel has one name
 * for the whole process, so copies of this code share it.
 */
export const exchanges = channel('bugferry:sandbox-github');

export async function publishing(context: Context, next: Next): Promise<void> {
  if (!exchanges.hasSubscribers) return next();
  const request = context.req.raw;
  const url = new URL(request.url);
  const text = url.pathname.startsWith(`${uploadFolder}/`) ? '' : await request.clone().text();
  let answer: GithubExchange['answer'] = null;
  try {
    await next();
    answer = await answerOf(context.res);
  } finally {
    exchanges.publish({ method: request.method, url, text, answer } satisfies GithubExchange);
  }
}

async function answerOf(response: Response): Promise<GithubExchange['answer']> {
  const { status, headers, body } = response;
  if (status === 200 && body === null) return null;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, text: isJson ? await response.clone().text() : '' };
}
