import { customDefault } from '../../../src/sandbox/tracker/installation/custom-fields.ts';
import type { TrackerBug, TrackerComment, TrackerState } from '../../../src/sandbox/tracker/world/state.ts';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type Random, random } from '../../support/random.ts';
import { skewed, skewedCounts } from './draws.ts';
import { contentOf, privateWord, sizeOf } from './files.ts';
import { summaryOf, textOf } from './words.ts';

/** What LLVM's tracker had when it moved, rounded. */
export const wholeSize = { bugs: 52_000, comments: 310_000, files: 30_000 } as const;

export interface Size {
  readonly bugs: number;
  /** Descriptions included. */
  readonly comments: number;
  readonly files: number;
}

/** As many comments and files for each bug as there. */
export const sizeFor = (bugs: number): Size => ({
  bugs,
  comments: Math.round((bugs * wholeSize.comments) / wholeSize.bugs),
  files: Math.round((bugs * wholeSize.files) / wholeSize.bugs),
});

const day = 86_400_000;
const years = 18;
const commentsMax = 600;
/** What the tracker takes as one comment. */
const lengthMax = 65_535;
const writers = 40;

/** Fills an empty tracker: the same bugs for the same size, each time. */
export function generate({ state }: TrackerWorld, size: Size): void {
  const draw = random(20_261_121);
  addWriters(state);
  const counts = skewedCounts(draw, size.bugs, size.comments - size.bugs, commentsMax);
  const files = spread(draw, size.files, size.bugs);
  const beganAt = Math.floor((state.now() - years * 365 * day) / 1000) * 1000;
  const stepMs = Math.floor(((years - 0.2) * 365 * day) / size.bugs / 1000) * 1000;
  for (let id = 1; id <= size.bugs; id += 1) {
    const createdAt = beganAt + id * stepMs;
    addBug(state, draw, { id, createdAt, replies: counts[id - 1] ?? 0, files: files.get(id) ?? 0 });
  }
  Object.assign(state, { nextBug: size.bugs + 1 });
}

function addWriters(state: TrackerState): void {
  const [model] = state.users.filter(({ login }) => login.startsWith('carol'));
  if (model === undefined) throw new Error('The sandbox has no person to be like.');
  const last = Math.max(...state.users.map(({ id }) => id));
  for (let nth = 1; nth <= writers; nth += 1)
    state.users.push({
      ...model,
      id: last + nth,
      login: loginOf(nth),
      realName: `Writer ${nth}`,
      apiKey: `key-of-writer-${nth}`,
    });
}

const loginOf = (nth: number): string => `writer-${nth}@example.test`;

/** Some bugs have several files, most have none. */
function spread(draw: Random, files: number, bugs: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let left = files; left > 0; left -= 1) {
    const id = 1 + Math.floor(bugs * draw.next() ** 1.5);
    found.set(id, (found.get(id) ?? 0) + 1);
  }
  return found;
}

interface Wanted {
  readonly id: number;
  readonly createdAt: number;
  readonly replies: number;
  readonly files: number;
}

function addBug(state: TrackerState, draw: Random, wanted: Wanted): void {
  const { id, createdAt } = wanted;
  const isPrivate = draw.chance(0.02);
  const comments = commentsOf(state, draw, wanted, isPrivate);
  const changedAt = comments.at(-1)?.at ?? createdAt;
  const { status, resolution, dupe_of } = statusOf(draw, id);
  const creator = comments[0]?.creator ?? loginOf(1);
  const [product] = state.products;
  const bug: TrackerBug = {
    id,
    alias: [],
    product: 'Widget',
    component: product?.components[draw.below(product.components.length)]?.name ?? '',
    version: product?.versions[0]?.name ?? '',
    target_milestone: '---',
    summary: `${isPrivate ? `${privateWord} ` : ''}${summaryOf(draw, id)}`,
    status,
    resolution,
    dupe_of,
    is_confirmed: true,
    severity: draw.pick(['normal', 'normal', 'normal', 'major', 'critical', 'enhancement']),
    priority: '---',
    platform: 'PC',
    op_sys: 'Linux',
    creator,
    assigned_to: 'admin@example.test',
    qa_contact: '',
    cc: draw.chance(0.5) ? [loginOf(1 + draw.below(writers))] : [],
    keywords: draw.chance(0.1) ? ['crash'] : [],
    see_also: [],
    depends_on: id > 20 && draw.chance(0.02) ? [id - 1 - draw.below(15)] : [],
    blocks: [],
    groups: isPrivate ? ['security'] : [],
    url: '',
    whiteboard: '',
    deadline: null,
    is_cc_accessible: true,
    is_creator_accessible: true,
    flags: [],
    custom: Object.fromEntries(state.customFields.map((field) => [field.name, customDefault(field)])),
    hours: { actual: 0, estimated: 0, remaining: 0 },
    createdAt,
    changedAt,
  };
  state.bugs.set(id, bug);
  state.comments.set(id, comments);
  for (const blocker of bug.depends_on) {
    const other = state.bugs.get(blocker);
    if (other !== undefined) state.bugs.set(blocker, { ...other, blocks: [...other.blocks, id] });
  }
  const rows = [
    { field: 'status', removed: 'CONFIRMED', added: status },
    ...(resolution === '' ? [] : [{ field: 'resolution', removed: '', added: resolution }]),
  ];
  state.history.set(
    id,
    status === 'CONFIRMED' ? [] : rows.map((row) => ({ ...row, at: changedAt, who: creator, attachment: null })),
  );
}

function commentsOf(
  state: TrackerState,
  draw: Random,
  { id, createdAt, replies, files }: Wanted,
  isHidden: boolean,
): readonly TrackerComment[] {
  const comments: TrackerComment[] = [];
  // The last tenth of a year is past for all of them.
  const gapMs = Math.max(1_000, skewed(draw, 2 * day, 1.5));
  let at = createdAt;
  for (let nth = 0; nth <= Math.max(replies, files - 1); nth += 1) {
    if (nth > 0) at = Math.min(at + Math.ceil((gapMs * draw.next()) / 1000) * 1000, state.now() - 30 * 60_000);
    at = Math.floor(at / 1000) * 1000;
    const isPrivate = nth > 0 && draw.chance(0.01);
    const creator = loginOf(1 + draw.below(writers));
    const attachment = nth < files ? addFile(state, draw, { bug: id, at, creator }) : null;
    comments.push({
      id: state.nextComment++,
      bug: id,
      creator,
      at,
      isPrivate,
      text: said(draw, id, isPrivate || isHidden),
      attachment,
      attachmentEvent: attachment === null ? null : 'created',
      workTime: 0,
      tags: nth > 0 && draw.chance(0.002) ? ['spam'] : [],
    });
  }
  return comments;
}

function said(draw: Random, id: number, isPrivate: boolean): string {
  const isLongest = draw.chance(0.0002);
  const length = isLongest ? lengthMax - 60 : Math.min(lengthMax - 60, 20 + Math.ceil(skewed(draw, 250, 1.15)));
  const reference = id > 200 && draw.chance(0.03) ? `\n\nSee bug ${1 + draw.below(id - 100)}.` : '';
  return `${isPrivate ? `${privateWord} ` : ''}${textOf(draw, length)}${reference}`;
}

interface Place {
  readonly bug: number;
  readonly at: number;
  readonly creator: string;
}

function addFile(state: TrackerState, draw: Random, { bug, at, creator }: Place): number {
  const id = state.nextAttachment++;
  const isPrivate = draw.chance(0.01) || bug % 50 === 0;
  const isPatch = draw.chance(0.5);
  const file = { id, size: sizeOf(id), isPrivate };
  state.attachments.set(id, {
    id,
    bug,
    creator,
    fileName: isPatch ? `fix-${id}.patch` : `log-${id}.txt`,
    summary: isPatch ? 'A patch' : 'The output',
    contentType: 'text/plain',
    isPatch,
    isPrivate,
    isObsolete: draw.chance(0.1),
    get content() {
      return contentOf(file).toString('base64');
    },
    size: file.size,
    flags: [],
    createdAt: at,
    changedAt: at,
  });
  return id;
}

type StatusFields = Pick<TrackerBug, 'status' | 'resolution' | 'dupe_of'>;

function statusOf(draw: Random, id: number): StatusFields {
  const roll = draw.next();
  if (roll < 0.25)
    return { status: draw.pick(['CONFIRMED', 'CONFIRMED', 'IN_PROGRESS']), resolution: '', dupe_of: null };
  if (roll < 0.7) return { status: 'RESOLVED', resolution: 'FIXED', dupe_of: null };
  if (roll < 0.9 || id < 10)
    return { status: 'RESOLVED', resolution: draw.pick(['WONTFIX', 'INVALID', 'WORKSFORME']), dupe_of: null };
  return { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 + draw.below(id - 1) };
}
