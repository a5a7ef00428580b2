import { SideError } from '../model/outcome.ts';
import type { Backoff } from '../model/runtime.ts';
import { backoffAfter } from '../rules/limits/backoff.ts';
import { type Allowance, allowedAt } from '../rules/limits/brake-and-budget.ts';
import type { Answer, RehearsalPort, Request } from './port.ts';

/** A write whose answer was lost: whether it took effect is unknown. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

interface Sending {
  readonly port: RehearsalPort;
  /** Nothing is sent once it aborts. */
  readonly signal: AbortSignal;
  /** How much content may be created. */
  readonly allowances: readonly Allowance[];
  /** When content was created, epoch milliseconds. */
  creations(): readonly number[];
  /** Counts a request before it is sent. */
  count(isCreation: boolean): void;
  /** Says that nothing is sent until then. */
  waiting(until: number, why: string): void;
}

/** The backoff for an answer that does not say how long. */
const defaultBackoffMs = 60_000;
const backoffsMax = 12;
const lostMs = 5_000;
const lostMax = 4;
const notYetMs = 2_000;
const notYetMax = 15;

/**
 * Sends requests one after the other, within the limits on content, and again after a backoff that GitHub asks for. A
 * read is repeated if its answer was lost, a write never. A server that has never answered is not asked again.
 */
export function pacedSending(sending: Sending): (request: Request, isImmediate: boolean) => Promise<Answer> {
  let last: Backoff | null = null;
  let isReached = false;
  const backOff = async (answer: Answer): Promise<void> => {
    const { port } = sending;
    const now = port.now();
    const why = answer.why ?? '';
    const askedUntil = answer.backoffUntil ?? now + defaultBackoffMs;
    const backoff: Backoff = { ...backoffAfter(last, askedUntil, now), askedUntil, why };
    last = backoff;
    sending.waiting(backoff.until, why);
    await port.sleep(Math.max(0, backoff.until - now));
  };
  const lost = async (why: string, tries: number): Promise<void> => {
    const { port } = sending;
    if (tries > lostMax || !isReached) throw new SideError('later', why, { side: 'github' });
    const delayMs = lostMs * 2 ** (tries - 1);
    sending.waiting(port.now() + delayMs, why);
    await port.sleep(delayMs);
  };
  return async (request, isImmediate) => {
    const { port, signal } = sending;
    if (request.creates === true) await allowed(sending);
    const tries = { limited: 0, lost: 0, notYet: 0 };
    for (;;) {
      signal.throwIfAborted();
      sending.count(request.creates === true);
      const answer = await port.send(request);
      const isRead = request.method === 'GET';
      // A stop also looks like a lost answer, but says nothing of the server.
      if (answer.taken === 'unreached' || answer.taken === 'unknown') signal.throwIfAborted();
      else isReached = true;
      if (answer.taken === 'limited') {
        tries.limited += 1;
        if (tries.limited > backoffsMax)
          throw new SideError('later', answer.why ?? '', { side: 'github', at: answer.backoffUntil });
        await backOff(answer);
      } else if (answer.taken === 'unauthorized')
        throw new SideError('unauthorized', answer.why ?? '', { side: 'github' });
      else if (answer.taken === 'unreached' || (answer.taken === 'unknown' && isRead)) {
        tries.lost += 1;
        await lost(answer.why ?? '', tries.lost);
      } else if (answer.taken === 'unknown') throw new Unanswered(answer.why ?? '');
      else if (answer.taken === 'not yet' && !isImmediate && tries.notYet < notYetMax) {
        tries.notYet += 1;
        await port.sleep(notYetMs);
      } else {
        last = null;
        return answer;
      }
    }
  };
}

async function allowed({ port, allowances, creations, waiting }: Sending): Promise<void> {
  const spent = creations().map((at) => ({ at, points: 1 }));
  const now = port.now();
  const { at, name } = allowedAt(spent, allowances, 1, now);
  if (at <= now) return;
  waiting(at, `the ${name} are used up`);
  await port.sleep(at - now);
}
