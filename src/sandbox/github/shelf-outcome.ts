import type { Outcome } from '../../model/outcome.ts';
import { type DirectDoor, type DirectRequest, type Done, direct, NoAnswer } from './direct.ts';
import { Refusal } from './server/errors.ts';

/** One request about files, straight on the world, and what the real client would make of its answer. */
export async function onShelf<T>(door: DirectDoor, request: DirectRequest, work: () => Done<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'applied', item: await direct(door, request, work) };
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'unknown', why: error.message };
    if (!(error instanceof Refusal)) throw error;
    if (error.isLimit) return { kind: 'later', at: null, wholeSide: true, why: error.message };
    return error.status === 401 ? { kind: 'unauthorized', why: error.message } : { kind: 'refused', why: error.message };
  }
}
