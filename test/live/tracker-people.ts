import type { Random } from '../support/random.ts';
import type { Act, Actions } from './actions.ts';
import type { Keys } from './keys.ts';
import { commentsOf, type LiveTracker, Refused } from './tracker.ts';

export interface TrackerPeople {
  readonly keys: Keys;
  readonly insider: LiveTracker;
  readonly member: LiveTracker;
  readonly draw: Random;
  readonly actions: Actions;
  /** Makes a text that stands nowhere else. */
  readonly text: (what: string) => string;
  /** The bugs of the product that people may touch, those that they have filed included. */
  readonly bugs: number[];
}

/** What members and insiders do to bugs. Everything goes through REST with their own keys. */
export function trackerActs(people: TrackerPeople): readonly Act[] {
  const { keys, insider, member, draw, actions, text, bugs } = people;
  const some = () => draw.pick(bugs);
  const isPublic = (bug: number) => !actions.hidden.has(bug);
  const change = (bug: number, body: object) => insider.ask('PUT', `/bug/${bug}`, { body });
  const read = async (bug: number) => (await insider.ask<{ bugs: readonly BugRead[] }>('GET', `/bug/${bug}`)).bugs[0];
  /**
   * Harmony confirms a write and loses it when another one about the same people is under way; whoever wrote sees that
   * it is not there.
   */
  const sees = (isThere: boolean | undefined) => {
    if (isThere !== true) throw new Refused('the tracker confirmed a write, and does not show it');
  };
  const seesComment = async (bug: number, words: string) =>
    sees((await commentsOf(insider, bug)).some(({ text: shown }) => shown.includes(words)));
  const file = async (summary: string, description: string, more: object): Promise<number> => {
    const { id } = await insider.ask<{ id: number }>('POST', '/bug', {
      body: { product: keys.product, ...keys.bug, summary, description, ...more },
    });
    bugs.push(id);
    return id;
  };
  return [
    {
      weight: 3,
      async act() {
        const [title, description] = [text('Filed ünï'), text('Description 中 ß')];
        const id = await file(title, description, {});
        actions.bugTitles.set(id, title);
        for (const secret of [title, description]) actions.secrets.set(secret, id);
      },
    },
    {
      weight: 1,
      async act() {
        const [title, description] = [text('Secret bug'), text('Secret description')];
        const id = await file(title, description, { groups: [keys.group] });
        actions.hidden.add(id);
        actions.onceHidden.add(id);
        for (const secret of [title, description]) actions.secrets.set(secret, id);
      },
    },
    {
      weight: 7,
      async act() {
        const [bug, said] = [some(), text('Said on the tracker, 你好 🦊')];
        await (isPublic(bug) ? member : insider).ask('POST', `/bug/${bug}/comment`, { body: { comment: said } });
        actions.secrets.set(said, bug);
        await seesComment(bug, said);
        actions.bugComments.set(said, bug);
      },
    },
    {
      weight: 1,
      async act() {
        const said = text('Said in private');
        actions.secrets.set(said, null);
        await insider.ask('POST', `/bug/${some()}/comment`, { body: { comment: said, is_private: true } });
      },
    },
    {
      weight: 4,
      async act() {
        const [bug, title] = [some(), text('Tracker title é')];
        const before = (await read(bug))?.summary;
        await change(bug, { summary: title });
        actions.secrets.set(title, bug);
        // The bridge may have written another one since.
        sees((await read(bug))?.summary !== before);
        actions.bugTitles.set(bug, title);
      },
    },
    { weight: 4, act: async () => void (await change(some(), draw.pick(statuses))) },
    { weight: 1, act: async () => void (await change(some(), { dupe_of: some() })) },
    {
      weight: 2,
      act: async () => void (await change(some(), { severity: draw.pick(['major', 'minor', 'critical']) })),
    },
    {
      weight: 1,
      async act() {
        const [bug, content, summary] = [some(), text('Content of a file'), text('Log')];
        if (!isPublic(bug)) return;
        await insider.ask('POST', `/bug/${bug}/attachment`, {
          body: {
            ids: [bug],
            data: Buffer.from(content).toString('base64'),
            file_name: 'crash.log',
            summary,
            content_type: 'text/plain',
          },
        });
        actions.secrets.set(content, bug);
        await seesComment(bug, summary);
        actions.files.set(content, bug);
      },
    },
    ...(keys.moves === undefined ? [] : [{ weight: 3, act: moveBetween(keys.product, keys.moves) }]),
    {
      weight: 1,
      async act() {
        const bug = some();
        if (isPublic(bug)) {
          await change(bug, { groups: { add: [keys.group] } });
          sees((await read(bug))?.groups.includes(keys.group));
          actions.hidden.add(bug);
          actions.onceHidden.add(bug);
        } else if (draw.chance(0.5)) {
          await change(bug, { groups: { remove: [keys.group] } });
          actions.hidden.delete(bug);
        }
      },
    },
  ];

  /** A bug that is hidden stays where it is: its group may not exist in the other product. */
  function moveBetween(product: string, { product: other, there, back }: NonNullable<Keys['moves']>) {
    return async () => {
      const bug = some();
      if (!isPublic(bug)) return;
      const isHere = (await read(bug))?.product === product;
      await change(bug, isHere ? { product: other, ...there } : { product, ...back });
      sees((await read(bug))?.product === (isHere ? other : product));
      actions.onceMoved.add(bug);
    };
  }
}

interface BugRead {
  readonly summary: string;
  readonly product: string;
  readonly groups: readonly string[];
}

const statuses = [
  { status: 'RESOLVED', resolution: 'FIXED' },
  { status: 'RESOLVED', resolution: 'WONTFIX' },
  { status: 'CONFIRMED' },
  { status: 'IN_PROGRESS' },
  { status: 'VERIFIED' },
];
