import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

/**
 * Requests that were sent to a real 5.2 server, repeated to the sandbox: a scenario starts from the recorded content of
 * that tracker and goes through its steps and plays in order, all on one world.
 */
export type Scenario = readonly (Step | Play)[];

/** A change of the world between two requests: what the recorded server went through outside of the recordings. */
export type Step = (stage: Playback) => void | Promise<void>;

/** One recorded request. */
export interface Play {
  /** The recording's name: that of its file. */
  readonly name: string;
  /** Whose key stands for KEY in it, by the local part of the login; `nobody` has none. */
  readonly caller: string;
  /** Why only status, code and shape are compared and not the values; null when all is. */
  readonly shapeOnly: string | null;
}

export interface Playback {
  readonly world: TrackerWorld;
  /** Epoch milliseconds. */
  now: number;
  /**
   * Once the clock was set, recorded times must be met to the second; before, those of the recording's own hour are
   * free.
   */
  isClocked: boolean;
  /** Sends a request as somebody and answers the body. Fails when that is an error. */
  ask(caller: string, method: string, path: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Plays by one caller: names parted by white space, in order. */
export const by =
  (caller: string) =>
  (names: string): readonly Play[] =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, caller, shapeOnly: null }));

export const anonymous = by('nobody');
export const admin = by('admin');
export const alice = by('alice');
export const bob = by('bob');
export const bridge = by('bridge');
export const carol = by('carol');

/**
 * The same plays, of which the values depend on something that the sandbox does not have in common with that server.
 */
export const inShape = (reason: string, plays: readonly Play[]): readonly Play[] =>
  plays.map((play) => ({ ...play, shapeOnly: reason }));

/** Each play has a world of its own, prepared in the same way. */
export const afresh = (before: readonly Step[], ...plays: readonly (readonly Play[])[]): readonly Scenario[] =>
  plays.flat().map((play): Scenario => [...before, play]);

/** One scenario out of steps and plays. */
export const scenario = (...parts: readonly (Step | readonly Play[])[]): readonly Scenario[] => [
  parts.flatMap((part): Scenario => (typeof part === 'function' ? [part] : part)),
];

/** Sets the clock to a time of 21 November 2026, the day of the recording, in UTC: `09:34:25`. */
export const at =
  (time: string): Step =>
  (stage) => {
    stage.now = Date.parse(`2026-11-21T${time}Z`);
    stage.isClocked = true;
  };

/** Bugs filed by alice until there is one with this number. */
export const filedUpTo =
  (id: number): Step =>
  ({ world }) => {
    while (world.state.nextBug <= id)
      world.as('alice').file({ summary: `number ${world.state.nextBug}`, version: '1.0', description: 'd' });
  };

export const changed =
  (bug: number, change: Readonly<Record<string, unknown>>, person = 'alice'): Step =>
  ({ world }) =>
    world.as(person).change(bug, change);

/** A request of the recorded run that is not among the recordings, but led to what they show. */
export const asked =
  (caller: string, method: string, path: string, body?: Readonly<Record<string, unknown>>): Step =>
  async (stage) => {
    await stage.ask(caller, method, path, body);
  };

export const commented =
  (bug: number, text: string, person = 'alice'): Step =>
  ({ world }) => {
    world.as(person).comment(bug, text);
  };
