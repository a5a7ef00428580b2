import { numberAt, ok } from './judge.ts';
import { flagTypes, whatLacks } from './needs.ts';
import type { Body } from './server.ts';
import type { Bug, Tracker } from './tracker.ts';

/** Two open bugs that differ in all that a search can ask for, and a closed one. What B has, A has not. */
export interface Samples {
  readonly a: number;
  readonly b: number;
  readonly closed: number;
  /** A and B as they read. */
  readonly bugs: { readonly a: Bug; readonly b: Bug };
}

/** The last of a list's values differs from the first whenever there are two. */
const first = (values: readonly string[]): string => values[0] ?? '';
const last = (values: readonly string[]): string => values.at(-1) ?? '';

export function samples(tracker: Tracker): Promise<Samples> {
  return tracker.once('samples', async () => {
    const b = await tracker.file(await valuesFor(tracker, first));
    await tracker.tick();
    const a = await tracker.file({ ...(await valuesFor(tracker, last)), depends_on: [b] });
    await tracker.change(a, { cc: { add: [await tracker.login()] } });
    const closed = await tracker.file();
    await tracker.change(closed, await closing(tracker, closed));
    await tracker.tick();
    return { a, b, closed, bugs: { a: await tracker.read(a), b: await tracker.read(b) } };
  });
}

async function valuesFor(tracker: Tracker, pick: (values: readonly string[]) => string): Promise<Body> {
  const { priorities, severities, platforms, systems, keywords } = await tracker.vocabulary();
  const { components, versions, milestones } = await tracker.place();
  const word = tracker.word();
  return {
    summary: `Sample ${word} for conformance`,
    alias: await tracker.alias(`al-${word}`),
    component: pick(components),
    version: pick(versions),
    target_milestone: pick(milestones),
    priority: pick(priorities),
    severity: pick(severities),
    platform: pick(platforms),
    op_sys: pick(systems),
    whiteboard: `[${word}]`,
    url: `https://${word}.example.test/`,
    ...(keywords.length > 1 ? { keywords: [pick(keywords)] } : {}),
  };
}

/** What closes a bug from the status in which it is, in one move. */
export async function closing(tracker: Tracker, bug: number | string): Promise<Body> {
  const { statuses, resolutions } = await tracker.vocabulary();
  const now = (await tracker.read(bug))['status'];
  const next = statuses.find(({ name }) => name === now)?.next ?? [];
  const closed = statuses.find(({ name, isOpen }) => !isOpen && next.includes(name));
  return { status: closed?.name ?? 'RESOLVED', resolution: resolutions[0] ?? 'FIXED' };
}

/** A bug with a flag of the first type, set to `+`; only where there are flag types. */
export function flagged(tracker: Tracker): Promise<number> {
  return tracker.once('flagged', async () => {
    const type = (await flagTypes(tracker, 'bug'))[0];
    return tracker.file({ flags: [{ name: type?.name, status: '+' }] });
  });
}

/** A bug with a comment, and an attachment with a flag where that exists. */
export function commented(
  tracker: Tracker,
): Promise<{ readonly bug: number; readonly comment: number; readonly attachment: number }> {
  return tracker.once('commented', async () => {
    const bug = await tracker.file();
    const comment = await tracker.comment(bug, 'The first comment.');
    const attachment = await tracker.attach(bug, { comment: 'Look at this.' });
    const type =
      (await whatLacks(tracker, ['attachment flags'])) === null
        ? (await flagTypes(tracker, 'attachment'))[0]
        : undefined;
    if (type !== undefined) await tracker.changeAttachment(attachment, { flags: [{ name: type.name, status: '+' }] });
    return { bug, comment, attachment };
  });
}

/** A bug whose priority was changed once, and a moment later its whiteboard; after both, the clock has moved on. */
export function changed(
  tracker: Tracker,
): Promise<{ readonly bug: number; readonly from: string; readonly to: string }> {
  return tracker.once('changed', async () => {
    const { priorities } = await tracker.vocabulary();
    const bug = await tracker.file({ priority: first(priorities) });
    await tracker.tick();
    await tracker.change(bug, { priority: last(priorities) });
    await tracker.tick();
    await tracker.change(bug, { whiteboard: 'second change' });
    await tracker.tick();
    return { bug, from: first(priorities), to: last(priorities) };
  });
}

/** A bug that only members of a group see. Needs 'group'. */
export function hidden(tracker: Tracker, group: string): Promise<{ readonly bug: number; readonly comment: number }> {
  return tracker.once('hidden', async () => {
    const bug = await tracker.file({ groups: [group] });
    const comment = numberAt(
      ok(await tracker.main.post(`/bug/${bug}/comment`, { comment: 'Not for all.' }), [200, 201]),
      'id',
    );
    return { bug, comment };
  });
}
