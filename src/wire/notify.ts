/** Tells people when a route begins to need somebody, and when it is well again. */

import type { Config, NotifyAccess } from '../config/config.ts';
import { needOf, nextStep, noticeOf, retryAtOf } from '../explain/notice.ts';
import type { Notice, Receiver, Told } from '../model/reports/notice.ts';
import { httpFetch } from '../runtime/http-fetch.ts';
import { canRun, mailText, type Outcome, pipe, post } from '../runtime/receivers.ts';
import type { Bridge } from './bridge.ts';
import { statusesIn } from './view.ts';

interface Notifier {
  /** Looks at all routes, and tells the receivers in the background; nothing while it still does. Never throws. */
  tellNews(): void;
  /** Resolves when nobody is being told any more. */
  settled(): Promise<void>;
  /** The same, but ends what is under way: the next start tries again. */
  stop(): Promise<void>;
}

interface Heard {
  readonly told: (words: string) => void;
  readonly failed: (words: string) => void;
}

/** Webhooks may start many cycles in a row, and a status costs more the more is mirrored. */
const gapMs = 5_000;

const nobody: Notifier = { tellNews: () => undefined, settled: async () => undefined, stop: async () => undefined };

export function openNotifier(
  { instance, notify }: Pick<Config, 'instance' | 'notify'>,
  bridge: Bridge,
  heard: Heard,
): Notifier {
  const stopping = new AbortController();
  const ways = notify === null ? [] : waysOf(notify, stopping.signal);
  const receivers = ways.map(([receiver]) => receiver);
  if (bridge.store.unwritable() === null)
    for (const { name } of bridge.configured) bridge.store.toldReceivers.keepOnly(name, receivers);
  if (notify === null) return nobody;
  const known = new Map<string, Told>();
  let round: Promise<void> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    tellNews() {
      const sinceMs = Math.abs(bridge.clock.now() - lookedAt);
      if (round !== null || stopping.signal.aborted || sinceMs < gapMs) return;
      lookedAt = bridge.clock.now();
      round = tellAll({ instance, bridge, ways, known, pauseMs: notify.pauseMs, heard })
        .catch((error: unknown) => heard.failed(`Notices cannot be sent: ${String(error)}.`))
        .finally(() => {
          round = null;
        });
    },
    settled: async () => void (await round),
    async stop() {
      stopping.abort();
      await round;
    },
  };
}

/** The programs that notices need and this user cannot run, each with the key that names it. */
export const missingPrograms = ({
  notify,
}: Pick<Config, 'notify'>): readonly (readonly [key: string, program: string])[] =>
  [
    ['notify.command', notify?.command?.[0]] as const,
    ['notify.mail.sendmail', notify?.mail?.sendmail] as const,
  ].flatMap(([key, program]) =>
    program === undefined || canRun(program, notify?.env['PATH'] ?? '') ? [] : [[key, program] as const],
  );

type Way = (notice: Notice, at: number) => Outcome;

function waysOf(
  { command, webhook, mail, env }: NotifyAccess,
  signal: AbortSignal,
): readonly (readonly [Receiver, Way])[] {
  const ways: readonly (readonly [Receiver, Way | null])[] = [
    [
      'command',
      command === null ? null : (notice) => pipe({ words: command, env }, `${JSON.stringify(notice)}\n`, signal),
    ],
    [
      'webhook',
      webhook === null ? null : (notice) => post(httpFetch, { ...webhook, body: filled(webhook.body, notice) }, signal),
    ],
    [
      'mail',
      mail === null
        ? null
        : ({ title, text }, at) => {
            const { sendmail, from, to } = mail;
            const sender = from === null ? [] : ['-f', from];
            return pipe(
              { words: [sendmail, '-i', ...sender, '--', ...to], env },
              mailText({ to, from, subject: title, text, at }),
              signal,
            );
          },
    ],
  ];
  return ways.flatMap(([receiver, way]) => (way === null ? [] : [[receiver, way] as const]));
}

/** The configured body, with the notice in the place of `{title}`, `{text}`, `{route}` and `{need}`. */
function filled(body: unknown, notice: Notice): unknown {
  if (typeof body === 'string')
    return body.replace(
      /\{(title|text|route|need)\}/gu,
      (_whole, name: 'title' | 'text' | 'route' | 'need') => notice[name],
    );
  if (Array.isArray(body)) return body.map((each) => filled(each, notice));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, filled(value, notice)]));
}

interface Round {
  readonly instance: string;
  readonly bridge: Bridge;
  readonly ways: readonly (readonly [Receiver, Way])[];
  /** What each receiver knows, also while the state cannot be written. */
  readonly known: Map<string, Told>;
  readonly pauseMs: number;
  readonly heard: Heard;
}

async function tellAll(round: Round): Promise<void> {
  const { bridge, ways, pauseMs, instance } = round;
  const { store, clock, configured } = bridge;
  const told: Promise<void>[] = [];
  for (const status of statusesIn({ ...bridge, routes: configured })) {
    const { route } = status;
    const need = needOf(status);
    for (const [receiver, way] of ways) {
      const now = clock.now();
      const before = round.known.get(`${route} ${receiver}`) ?? store.toldReceivers.of(route, receiver);
      const step = nextStep(before, need, now, pauseMs);
      if (step === 'note') keepTold(round, route, receiver, { ...before, need, attempts: 0, retryAt: 0, why: null });
      if (step === 'tell')
        told.push(tell(round, route, { receiver, way, before, notice: noticeOf(instance, status, before, now) }));
    }
  }
  await Promise.all(told);
}

interface Telling {
  readonly receiver: Receiver;
  readonly way: Way;
  readonly before: Told;
  readonly notice: Notice;
}

/** The attempt is kept before it is made, so that a process that dies of it does not make it again and again. */
async function tell(round: Round, route: string, { receiver, way, before, notice }: Telling): Promise<void> {
  const { heard, bridge } = round;
  const now = bridge.clock.now();
  const attempts = before.attempts + 1;
  const tried: Told = { ...before, attempts, retryAt: retryAtOf(attempts, now), why: null };
  keepTold(round, route, receiver, tried);
  const why = await way(notice, now);
  if (why === null) {
    keepTold(round, route, receiver, { need: notice.need, at: now, attempts: 0, retryAt: 0, why: null });
    return heard.told(`notify.${receiver} was told: ${notice.title}`);
  }
  keepTold(round, route, receiver, { ...tried, why });
  heard.failed(`notify.${receiver} did not take the notice "${notice.title}": ${why}. It is tried again.`);
}

function keepTold({ bridge, known }: Round, route: string, receiver: Receiver, told: Told): void {
  known.set(`${route} ${receiver}`, told);
  // A notice about a full disk has to go out although it cannot be kept.
  if (bridge.store.unwritable() === null) bridge.store.toldReceivers.save(route, receiver, told);
}
