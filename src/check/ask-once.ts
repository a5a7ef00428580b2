import type { AnonymousReader } from '../model/anonymous-reader.ts';
import type { AttachmentClient } from '../model/attachment.ts';
import { SideError } from '../model/outcome.ts';
import type { TrackerReplica } from '../model/replica.ts';
import { type Read, sampleMax } from './answers.ts';

/** The ports through which the poll asks. */
export interface ReadPorts {
  readonly tracker: Pick<TrackerReplica, 'list' | 'threads' | 'history'>;
  /** Null if the route does not mirror files. */
  readonly files: Pick<AttachmentClient, 'list'> | null;
  /** Null if the route does not ask what a reader without an account sees. */
  readonly anonymous: Pick<AnonymousReader, 'bugs' | 'comments' | 'attachments'> | null;
}

/** Asks the tracker what a cycle asks of it: neither settings nor rights show whether the tracker answers that. */
export async function readOnce({ tracker, files, anonymous }: ReadPorts): Promise<readonly Read[]> {
  const page = await read('bugs', false, async () => {
    const { items, failed = [] } = await tracker.list(null);
    return { answered: items.map(({ id }) => Number(id)), failed: failed.map(({ ref }) => ref) };
  });
  const refs = page.answered.slice(0, sampleMax);
  if (refs.length === 0) return [page];
  const own = [
    await read('comments', false, async () => {
      const threads = await tracker.threads(refs.map((ref) => ({ ref, sinceAt: null })));
      return among(
        refs,
        threads.map(({ ref }) => ref),
      );
    }),
    await read('history', false, async () => {
      const { unread } = await tracker.history(refs, 0);
      return { answered: refs.filter((ref) => !unread.includes(ref)), failed: unread };
    }),
    ...(files === null ? [] : [await read('files', false, async () => among(refs, (await files.list(refs)).keys()))]),
  ];
  return [page, ...own, ...(anonymous === null ? [] : await readAnonymously(anonymous, refs, files !== null))];
}

async function readAnonymously(
  anonymous: NonNullable<ReadPorts['anonymous']>,
  refs: readonly number[],
  hasFiles: boolean,
): Promise<readonly Read[]> {
  const bugs = await read('bugs', true, async () => {
    const found = [...(await anonymous.bugs(refs))];
    const failed = found.flatMap(([id, bug]) => (bug === null ? [id] : []));
    return { answered: found.map(([id]) => id).filter((id) => !failed.includes(id)), failed };
  });
  const shown = bugs.answered;
  if (shown.length === 0) return [bugs];
  return [
    bugs,
    await read('comments', true, async () => among(shown, (await anonymous.comments(shown)).keys())),
    ...(hasFiles
      ? [await read('files', true, async () => among(shown, (await anonymous.attachments(shown)).keys()))]
      : []),
  ];
}

type Answer = Pick<Read, 'answered' | 'failed'>;

function among(asked: readonly number[], found: Iterable<number>): Answer {
  const answered = new Set(found);
  return { answered: [...answered], failed: asked.filter((ref) => !answered.has(ref)) };
}

async function read(of: string, isAnonymous: boolean, request: () => Promise<Answer>): Promise<Read> {
  try {
    return { of, isAnonymous, why: null, ...(await request()) };
  } catch (error) {
    if (!(error instanceof SideError)) throw error;
    return { of, isAnonymous, why: error.message, answered: [], failed: [] };
  }
}
