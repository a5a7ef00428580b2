import { Writable } from 'node:stream';
import { logEvent, logRuns } from '../../../src/cli/run/log-events.ts';
import { narrate } from '../../../src/cli/run/narrate.ts';
import { openTerminal } from '../../../src/cli/terminal.ts';
import { readStory } from '../../../src/explain/find.ts';
import { statusOf } from '../../../src/explain/route-status.ts';
import type { EngineEvent } from '../../../src/kernel/context.ts';
import type { Side } from '../../../src/model/ids.ts';
import { SideError } from '../../../src/model/outcome.ts';
import type { Route } from '../../../src/model/route.ts';
import type { Clock } from '../../../src/model/runtime.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { scrubOf } from '../../../src/runtime/scrub.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { sqliteStore } from '../../../src/store/open.ts';
import { type States, statesOf } from '../restores/states.ts';

/** What keeps, says and answers; planted faults bring their own. */
export interface Rooms {
  readonly openDatabase: typeof openDatabase;
  readonly sqliteStore: typeof sqliteStore;
  readonly createLog: typeof createLog;
  readonly readStory: typeof readStory;
  readonly statusOf: typeof statusOf;
}

export const builtRooms: Rooms = { openDatabase, sqliteStore, createLog, readStory, statusOf };

/** The four that the configuration holds. */
const configured = {
  apiKey: 'canaryApiKeyOfTheTracker',
  token: 'canaryTokenOfGithub',
  webhook: 'canarySecretOfWebhooks',
  server: 'canaryTokenOfTheServer',
};

/** One that nobody told us of: only its form gives it away. */
const foreign = 'ghs_canaryOfAnInstallation';

export const secrets: readonly string[] = [...Object.values(configured), foreign];

const scrub = scrubOf(Object.values(configured));

/** What servers and proxies say that repeat what they were sent. */
const echoes: Readonly<Record<Side, string>> = {
  tracker: `; the request was GET /rest/bug?id=1&api_key=${configured.apiKey} with X-BUGZILLA-API-KEY: ${configured.apiKey}, X-Bugferry-Secret: ${configured.webhook}`,
  github: `; the request was {"Authorization":"token ${configured.token}"}, and an App's was ${foreign}, from a browser with Bearer ${configured.server}`,
};

/** A port whose every refusal repeats the request that it answers. */
export function echoing<P extends object>(port: P, side: Side): P {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        try {
          return withEcho(await member.apply(target, args), echoes[side]);
        } catch (error) {
          if (!(error instanceof SideError)) throw error;
          const { kind, message, at } = error;
          throw new SideError(kind, message + echoes[side], { at, side: error.side ?? side, cause: error });
        }
      };
    },
  });
}

function withEcho(answer: unknown, echo: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('gone' in answer) return { ...answer, gone: withEcho(answer.gone, echo) };
  return 'why' in answer && typeof answer.why === 'string' ? { ...answer, why: answer.why + echo } : answer;
}

/** Hears everything that a bridge says and keeps. */
export interface Outputs extends Pick<States, 'store' | 'copy' | 'putBack'> {
  tell(event: EngineEvent): void;
  failed(route: string, error: SideError): void;
  /** What was said since it was last asked: lines of the log, of the terminal, and events as JSON. */
  said(): string;
  /** The lines that the ledger got since it was last asked. */
  written(): string;
  /** The words that the state holds about the bridge's own work, other than the ledger. */
  remarks(): string;
  /** All that the state holds. */
  kept(): string;
  /** What people are told who ask. */
  answers(route: Route): string;
}

export function captureOutputs(clock: Clock, rooms: Rooms): Outputs {
  const states = statesOf(clock.now, scrub, rooms);
  const { store, db } = states;
  let lines: string[] = [];
  let ledgerId = 0;
  const sink = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const terminal = openTerminal({ stdout: sink, stderr: sink, signal: new AbortController().signal });
  terminal.hide(scrub.words);
  const log = rooms.createLog({
    level: 'debug',
    isTerminal: false,
    secrets: Object.values(configured),
    write: (line) => void lines.push(line),
    now: clock.now,
  });
  const rows = (sql: string): string => JSON.stringify(db().prepare(sql).all());
  return {
    store,
    copy: states.copy,
    putBack(copy, how) {
      states.putBack(copy, how);
      ledgerId = Number(db().prepare('select max(id) from ledger').pluck().get() ?? 0);
    },
    tell(event) {
      logEvent(log, event, store);
      terminal.json(event);
      const words = narrate(event, store, terminal);
      if (words !== null) terminal.out(words);
    },
    failed(route, error) {
      logRuns(log, [{ kind: 'failed', route, ms: 0, error }]);
    },
    said() {
      const text = lines.join('');
      lines = [];
      return text;
    },
    written() {
      const found = db()
        .prepare<[number], { readonly id: number }>('select * from ledger where id > ? order by id')
        .all(ledgerId);
      ledgerId = found.at(-1)?.id ?? ledgerId;
      return JSON.stringify(found);
    },
    remarks: () =>
      ['links', 'comment_links', 'attachment_links']
        .map((table) => rows(`select reason from ${table} where reason is not null`))
        .join() +
      rows('select why from outbox') +
      rows('select why from failures') +
      rows('select why from pauses') +
      rows('select content from findings'),
    kept: () =>
      db()
        .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table'")
        .all()
        .map(({ name }) => rows(`select * from ${name}`))
        .join(),
    answers(route) {
      const links = store.links.after(route.name, null, 1_000_000);
      const none = { tracker: [], github: [] };
      return JSON.stringify([
        rooms.statusOf(store, route, none, clock.now()),
        links.map((link) => rooms.readStory(store, [route], link, clock.now())),
      ]);
    },
  };
}
