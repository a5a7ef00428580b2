import type { TrackerState } from '../../../src/sandbox/tracker/world/state.ts';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import type { Said } from './crowd.ts';

const rows = ['bugs', 'comments', 'history', 'events', 'attachments'] as const;
const numbers = ['nextBug', 'nextComment', 'nextEvent', 'nextAttachment', 'nextFlag', 'nextToken', 'past'] as const;

/** The content of a tracker's database at one moment, with what people had said there. */
export interface TrackerDump {
  readonly content: Pick<TrackerState, (typeof rows)[number] | (typeof numbers)[number]>;
  readonly onBugs: ReadonlyMap<string, number>;
  readonly attached: ReadonlyMap<string, number>;
}

export function dumpOf({ state }: TrackerWorld, { onBugs, attached }: Said): TrackerDump {
  const names = [...rows, ...numbers];
  const content = Object.fromEntries(names.map((name) => [name, structuredClone(state[name])]));
  return { content: content as TrackerDump['content'], onBugs: new Map(onBugs), attached: new Map(attached) };
}

/** The tracker is as it was, and what people did there since is gone; its clock goes on. */
export function loadDump({ state }: TrackerWorld, { content, onBugs, attached }: TrackerDump, said: Said): void {
  const from = structuredClone(content);
  for (const name of rows) {
    const [into, rowsOf]: [Map<number, unknown>, Map<number, unknown>] = [state[name], from[name]];
    into.clear();
    for (const [id, row] of rowsOf) into.set(id, row);
  }
  for (const name of numbers) Object.assign(state, { [name]: from[name] });
  for (const [now, then] of [
    [said.onBugs, onBugs],
    [said.attached, attached],
  ] as const)
    for (const words of now.keys()) if (!then.has(words)) now.delete(words);
}
