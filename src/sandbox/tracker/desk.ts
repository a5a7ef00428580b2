import type { Attachment, AttachmentDesk } from '../../model/attachment.ts';
import type { Clock } from '../../model/runtime.ts';
import type { FaultSource } from '../server/faults.ts';
import { attachmentSeen, attachmentsSeen, createAttachments } from './attachments/attachments.ts';
import { flagName } from './attachments/flags.ts';
import { wholeSecond } from './installation/times.ts';
import { maySee } from './installation/users.ts';
import { faultyRead, faultyWrite } from './replica-faults.ts';
import { TrackerError } from './server/errors.ts';
import type { TrackerAttachment } from './world/state.ts';
import type { TrackerWorld } from './world/world.ts';

export interface DirectDeskOptions {
  /** Whose account the bridge uses; null for nobody's. */
  readonly user: string | null;
  readonly faults: FaultSource;
  readonly clock: Clock;
}

/** The files of the tracker, straight on the world and without a network, with the faults of one. */
export function directDesk(world: TrackerWorld, options: DirectDeskOptions): AttachmentDesk {
  const { state } = world;
  const user = options.user === null ? null : world.user(options.user);
  return {
    list: (bugs) =>
      faultyRead(options, () => {
        const open = bugs.filter((bug) => {
          const found = state.bugs.get(bug);
          return found !== undefined && maySee(user, found);
        });
        return new Map(open.map((bug) => [bug, attachmentsSeen(state, user, bug).map((each) => modelAttachment(world, each))]));
      }),
    async content(id) {
      const outcome = await faultyWrite({ ...options, state }, 'edit', () => {
        const file = attachmentSeen(state, user, id);
        if (file === null || file.isPrivate || file.content === null)
          return { kind: 'refused', why: `attachment ${id} is not there for us` };
        return { kind: 'applied', item: new Uint8Array(Buffer.from(file.content, 'base64')) };
      });
      return outcome.kind === 'unknown' ? { kind: 'later', at: null, wholeSide: false, why: outcome.why } : outcome;
    },
    bytesMax: async () => Number(state.settings.maxattachmentsize) * 1024,
    attach: (bug, draft) =>
      faultyWrite({ ...options, state }, 'create', () => {
        if (user === null) throw new TrackerError(410, 401, 'You must log in before using this part of the tracker.');
        const { name, summary, type, isPatch, comment, bytes } = draft;
        const data = Buffer.from(bytes).toString('base64');
        const request = { data, file_name: name, summary, content_type: type, is_patch: isPatch, comment };
        const [id] = createAttachments(state, user, [String(bug)], request, wholeSecond(state.now()));
        const made = state.attachments.get(id ?? 0);
        if (made === undefined) throw new TrackerError(100500, 500, 'The attachment was lost.');
        return { kind: 'applied', item: modelAttachment(world, made) };
      }),
  };
}

export function modelAttachment({ state }: TrackerWorld, file: TrackerAttachment): Attachment {
  const { id, bug, summary, isPrivate, isObsolete, isPatch, creator, createdAt } = file;
  return {
    ...{ id, bug, summary, isPrivate, isObsolete, isPatch, createdAt },
    flags: file.flags.map(({ type, status }) => `${flagName(type)}${status}`),
    name: file.fileName,
    type: file.contentType,
    size: file.content === null ? null : file.size,
    author: { login: creator, name: creator.split('@')[0] ?? creator },
    url: `${state.url}/attachment.cgi?id=${id}`,
  };
}
