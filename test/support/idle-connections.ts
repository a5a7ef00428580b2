import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface Closing {
  /** How many requests were lost with the connection that they came over. */
  lost(): number;
  stop(): void;
}

/**
 * Has the servers of this process close the connections that they have answered on, and only then: whoever sends
 * another request over one loses it unanswered, as from a server whose time for idle connections has just run out. All
 * idle connections go together.
 */
export function closeIdleConnections(): Closing {
  const idle = new Set<Socket>();
  let lost = 0;
  const begin = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (!idle.has(socket)) return;
    lost += 1;
    for (const each of idle) each.destroy();
    idle.clear();
  };
  const end = (message: unknown): void => {
    idle.add((message as { readonly socket: Socket }).socket);
  };
  subscribe('http.server.request.start', begin);
  subscribe('http.server.response.finish', end);
  return {
    lost: () => lost,
    stop() {
      unsubscribe('http.server.request.start', begin);
      unsubscribe('http.server.response.finish', end);
    },
  };
}
