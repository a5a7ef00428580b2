import { loadConfig } from '../../src/config/load.ts';
import { dashboardOf } from '../../src/explain/dashboard.ts';
import { needOf, noticeOf } from '../../src/explain/notice.ts';
import type { RouteStatus } from '../../src/model/route-status.ts';
import { openBridge } from '../../src/wire/bridge.ts';
import { openObserver } from '../../src/wire/http.ts';
import type { House, Ran } from './bugferry.ts';

/** What each place says that tells how a route stands. */
export interface Places {
  readonly status: Ran;
  readonly json: RouteStatus;
  readonly page: string;
  readonly routePage: string;
  readonly pairPage: string;
  readonly readyz: string;
  readonly health: Ran;
  readonly metrics: string;
  readonly dashboardIssue: string;
  readonly notice: string;
  readonly explain: Ran;
}

/** Asks all places about route `widget`, and about its bug 1, in a house whose configuration has `http: { port }`. */
export async function placesOf(house: House, port: number): Promise<Places> {
  const stop = new AbortController();
  const config = loadConfig(`${house.folder}/bridge.yaml`);
  const observer = openObserver(config, { version: '1.2.3', failed: () => {}, warned: () => {} });
  const bridge = openBridge(config, { mode: 'write', signal: stop.signal, tell: () => {}, warn: () => {} });
  const server = await observer.open(bridge, () => null);
  try {
    // That the process has had its first turn is not in question here.
    observer.ran([{ kind: 'backoff', route: 'widget', side: 'github', until: 0, why: '' }]);
    const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    const status = await house.run('status');
    const [document] = (await house.run('status', '--json')).json<{ routes: readonly RouteStatus[] }>();
    const [json] = document?.routes ?? [];
    if (json === undefined) throw new Error('The status names no route.');
    const told = { need: 'none', at: 0, attempts: 0, retryAt: 0, why: null } as const;
    const link = bridge.store.links.after('widget', null, 1)[0]?.id ?? 0;
    return {
      ...{ status, json },
      page: await read('/'),
      routePage: await read('/routes/widget'),
      pairPage: await read(`/links/${link}`),
      readyz: await read('/readyz'),
      health: await house.run('health', '--ready'),
      metrics: await read('/metrics'),
      dashboardIssue: dashboardOf(json, () => false).text,
      notice: needOf(json) === 'none' ? '' : noticeOf('test', json, told, Date.now()).text,
      explain: await house.run('explain', 'bug', '1'),
    };
  } finally {
    stop.abort();
    await server?.close();
    bridge.close();
  }
}
