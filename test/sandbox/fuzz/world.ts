import type { TrackerSettings } from '../../../src/sandbox/tracker/installation/settings.ts';
import type { TrackerState, User } from '../../../src/sandbox/tracker/world/state.ts';
import type { TrackerWorld, TrackerWorldOptions } from '../../../src/sandbox/tracker/world/world.ts';
import { isIn, seesBug } from './audience.ts';

/** A word that stands in one private place only. Wherever else it shows up, something private got out. */
export interface Secret {
  readonly word: string;
  readonly kind: 'bug' | 'comment' | 'attachment';
  /** Of the thing that holds it. */
  readonly id: number;
}

export interface FuzzWorld {
  readonly world: TrackerWorld;
  readonly clock: { now: number };
  readonly secrets: readonly Secret[];
}

export type Sources = Pick<typeof import('../../../src/sandbox/tracker/world/world.ts'), 'createTrackerWorld'> &
  Pick<typeof import('../../../src/sandbox/tracker/server/server.ts'), 'trackerServer'>;

/** Installations that differ in what decides how writes end. */
const installations: readonly (Partial<TrackerSettings> & { readonly zone?: string })[] = [
  {},
  { mail_delivery_method: 'SMTP' },
  { webservice_email_filter: '1', search_allow_no_criteria: '0', zone: 'America/New_York' },
  { commentonchange_resolution: '1', noresolveonopenblockers: '1', commentonduplicate: '1', requirelogin: '1' },
  { insidergroup: 'security', timetrackinggroup: 'editbugs', letsubmitterchoosepriority: '0', maxattachmentsize: '1' },
];

/** A small tracker with private bugs, comments and attachments, each with a word of its own. */
export function fuzzWorld({ createTrackerWorld }: Pick<Sources, 'createTrackerWorld'>, seed: number): FuzzWorld {
  const clock = { now: Date.UTC(2026, 10, 21, 9, 44, 30) };
  const { zone, ...settings } = installations[seed % installations.length] ?? {};
  const options: TrackerWorldOptions = {
    now: () => clock.now,
    url: 'http://tracker.example.test',
    settings,
    customFields: [{ name: 'cf_parent', label: 'Parent', kind: 'bug', values: [] }],
    ...(zone === undefined ? {} : { timeZone: zone }),
  };
  const world = createTrackerWorld(options);
  for (const [index, who] of ['bob', 'alice', 'carol', 'bob'].entries()) {
    world.as(who).file({
      summary: `public ${index}`,
      description: 'words to be found',
      whiteboard: 'words',
      cc: ['bob@example.test'],
    });
  }
  return { world, clock, secrets: [...secretBugs(world), ...secretComments(world), ...secretAttachments(world)] };
}

function secretBugs(world: TrackerWorld): readonly Secret[] {
  const found: Secret[] = [];
  for (const product of ['Widget', 'Secret']) {
    const word = `hush${product.toLowerCase()}bug`;
    const id: number = world.as('admin').file({
      product,
      ...(product === 'Secret' ? { component: 'Vault', version: 'unspecified' } : {}),
      summary: `${word} in a summary`,
      description: `${word} in a description`,
      whiteboard: `${word} aside`,
      alias: `${product.toLowerCase()}-hidden`,
      cf_notes: `${word} in notes`,
      groups: ['security'],
      depends_on: [1],
    });
    world.as('admin').comment(id, `${word} in a comment`);
    world.as('admin').change(id, { summary: `${word} in another summary`, see_also: { add: ['1'] } });
    found.push({ word, kind: 'bug', id });
  }
  return found;
}

function secretComments(world: TrackerWorld): readonly Secret[] {
  return [1, 2, 3].map((bug) => {
    const word = `hushcomment${bug}`;
    return {
      word,
      kind: 'comment' as const,
      id: world.as('admin').comment(bug, `${word} is private words`, { isPrivate: true }),
    };
  });
}

/** As they would stand after an insider had attached them. */
function secretAttachments({ state }: TrackerWorld): readonly Secret[] {
  return [1, 2].map((bug) => {
    const word = `hushattachment${bug}`;
    const id = state.nextAttachment++;
    const [createdAt, changedAt] = [state.now() - 60_000, state.now() - 60_000];
    const described = { fileName: `${word}.txt`, summary: `${word} summary`, contentType: 'text/plain' };
    const is = { isPatch: false, isPrivate: true, isObsolete: false };
    const content = { content: Buffer.from(word).toString('base64'), size: word.length };
    state.attachments.set(id, {
      id,
      bug,
      creator: 'admin@example.test',
      ...described,
      ...is,
      ...content,
      flags: [],
      createdAt,
      changedAt,
    });
    return { word, kind: 'attachment' as const, id };
  });
}

/**
 * Whether somebody may read a secret as the tracker stands now. `isHistory`: the measured server leaks comments there
 * (facts 2.14).
 */
export function maySeeSecret(
  state: TrackerState,
  user: User | null,
  { kind, id }: Secret,
  isHistory: boolean,
): boolean {
  const bug = state.bugs.get(kind === 'bug' ? id : bugHolding(state, kind, id));
  if (bug === undefined || !seesBug(user, bug)) return bug === undefined;
  if (kind === 'bug' || isIn(user, state.settings.insidergroup)) return true;
  if (kind === 'attachment') {
    const attachment = state.attachments.get(id);
    // A comment on it that is public shows its summary, also after the attachment has become private (facts 8).
    const isAnnounced = (state.comments.get(bug.id) ?? []).some(
      (comment) => comment.attachment === id && !comment.isPrivate,
    );
    return attachment?.isPrivate === false || attachment?.creator === user?.login || isAnnounced;
  }
  const wasShown = (state.history.get(bug.id) ?? []).some((row) => row.comment === id && row.added === '0');
  return commentIn(state, id)?.isPrivate === false || (isHistory && wasShown);
}

const commentIn = (state: TrackerState, id: number) =>
  [...state.comments.values()].flat().find((comment) => comment.id === id);

function bugHolding(state: TrackerState, kind: 'comment' | 'attachment', id: number): number {
  return (kind === 'comment' ? commentIn(state, id) : state.attachments.get(id))?.bug ?? 0;
}
