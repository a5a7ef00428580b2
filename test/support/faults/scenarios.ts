import { expect, test } from 'vitest';
import { fakeTracker, openLane, type Reply } from '../../bugzilla/api/fake-tracker.ts';
import { sample } from '../../tiers/depth.ts';
import { plant } from '../plant.ts';
import type { Fault } from './planted-code.ts';

/** A fault, and a scenario in which it shows. */
export interface Case extends Fault {
  readonly name: string;
  /** Acts with the code in this folder; `right` is what comes of it without the fault. */
  readonly scenario: (src: string) => Promise<unknown>;
  readonly right: unknown;
}

const source = new URL('../../../src', import.meta.url).pathname;

/** Declares the tests: each scenario ends well with the code as it is, and not with its fault. */
export function testCases(cases: readonly Case[]): void {
  test.each(cases)('without "$name", all is right', async ({ scenario, right }) => {
    expect(await scenario(source)).toEqual(right);
  });

  test.each(sample(cases))('a planted fault is caught: $name', async ({ scenario, right, ...fault }) => {
    expect(await scenario(plant(fault))).not.toEqual(right);
  });
}

/** An address for trackers that are functions. */
export const url = 'http://tracker.example.test';

/** The client of the code in this folder. */
export const trackerClient = async (
  src: string,
  options: { url?: string; apiKey?: string | null; fetch: typeof fetch },
) => {
  const { createTrackerClient } = (await import(
    `${src}/bugzilla/connection/client.ts`
  )) as typeof import('../../../src/bugzilla/connection/client.ts');
  return createTrackerClient({ url, apiKey: null, auth: 'query', lane: openLane(), timeoutMs: 5_000, ...options });
};

/** The public client of the code in this folder, and a tracker that answers everything so. */
export const publicClient = async (src: string, answer: Reply) => {
  const { openTracker } = (await import(
    `${src}/bugzilla/api/tracker.ts`
  )) as typeof import('../../../src/bugzilla/api/tracker.ts');
  const { asked, fetch } = fakeTracker(() => answer);
  return { asked, tracker: openTracker({ url, fetch }) };
};
