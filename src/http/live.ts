import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Panel } from './panel.ts';

/** Proxies cut connections on which nothing is said for a minute. */
const pulseMs = 25_000;

/** Tells a page that something has changed, as server-sent events; the page then asks for itself again. */
export function live(context: Context, panel: Pick<Panel, 'listen'>): Response {
  return streamSSE(context, async (stream) => {
    let changed = Promise.withResolvers<void>();
    const stop = panel.listen(() => changed.resolve());
    stream.onAbort(() => changed.resolve());
    try {
      await stream.writeSSE({ event: 'pulse', data: '' });
      while (!stream.aborted) {
        const isNews = await Promise.race([changed.promise.then(() => true), stream.sleep(pulseMs).then(() => false)]);
        if (isNews) changed = Promise.withResolvers<void>();
        if (!stream.aborted) await stream.writeSSE({ event: isNews ? 'changed' : 'pulse', data: '' });
      }
    } finally {
      stop();
    }
  });
}
