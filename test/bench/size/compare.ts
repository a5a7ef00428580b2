import type { TrackerAttachment, TrackerBug, TrackerComment } from '../../../src/sandbox/tracker/world/state.ts';
import { privateWord } from './files.ts';
import { repo, type Sides } from './sides.ts';

/** Compares both sides by what stands there, without the program, its code or its state. */
export interface Compared {
  readonly pairs: number;
  readonly comments: number;
  readonly files: number;
  /** Some of them in words, and how many there are. */
  readonly differences: readonly string[];
  readonly count: number;
}

const shownMax = 40;

interface Copy {
  readonly author: string;
  readonly body: string;
}

interface Pair {
  readonly number: number;
  readonly title: string;
  readonly view: string;
  readonly body: string;
  readonly comments: readonly (Copy & { readonly id: number })[];
}

/** @param isCutOver whether the tracker's bugs are closed since, whose issues stay open */
export function compareSides({ tracker, github }: Sides, isCutOver: boolean): Compared {
  const result = { pairs: 0, comments: 0, files: 0, count: 0, differences: [] as string[] };
  const differ = (what: string): void => {
    result.count += 1;
    if (result.differences.length < shownMax) result.differences.push(what);
  };
  const [byBug, byNumber] = [new Map<number, Pair[]>(), new Map<number, Pair>()];
  for (const { number, title, body, state, stateReason } of github.issues(repo)) {
    const comments = github.commentsOf(repo, number);
    const view = state === 'open' ? 'open' : (stateReason ?? 'completed');
    const pair = { number, title, view, body, comments };
    byNumber.set(number, pair);
    const bug = bugIn(body);
    if (bug !== null) byBug.set(bug, [...(byBug.get(bug) ?? []), pair]);
    for (const text of [title, body, ...comments.map((each) => each.body)])
      if (text.includes(privateWord)) differ(`#${number} shows something private`);
  }
  const copies = copiesIn(github.files(repo, 'attachments'));
  const files = Map.groupBy(tracker.state.attachments.values(), ({ bug }) => bug);
  // A public comment that came with a private file names it.
  const isHidden = ({ isPrivate, attachment }: TrackerComment): boolean =>
    isPrivate || (attachment !== null && tracker.state.attachments.get(attachment)?.isPrivate === true);
  const paired = new Set<number>();
  for (const bug of tracker.bugs()) {
    const [description, ...replies] = tracker.state.comments.get(bug.id) ?? [];
    const source = /^GitHub user \S+ wrote \(\S+\/issues\/(\d+)\):/u.exec(description?.text ?? '')?.[1];
    const opened = source === undefined ? undefined : byNumber.get(Number(source));
    const found = opened === undefined ? (byBug.get(bug.id) ?? []) : [opened];
    if (bug.groups.length > 0) {
      // One that was hidden later has an issue which says nothing any more.
      for (const { number, title } of found) {
        paired.add(number);
        if (title.includes(bug.summary)) differ(`bug ${bug.id} is private, and #${number} shows its title`);
      }
      for (const { id } of files.get(bug.id) ?? [])
        if (copies.has(id)) differ(`file ${id} of the private bug ${bug.id} has a copy`);
      continue;
    }
    const [pair] = found;
    if (found.length !== 1 || pair === undefined) {
      differ(`bug ${bug.id} has ${found.length} issues`);
      continue;
    }
    paired.add(pair.number);
    result.pairs += 1;
    compareFields(bug, pair, isCutOver, differ);
    const isShown = opened === undefined && description !== undefined && !isHidden(description);
    if (isShown)
      compareText(description, [pair, ...copiesOf(description, pair)], `description of bug ${bug.id}`, differ);
    result.comments += compareComments({ bug: bug.id, replies, isHidden }, pair, differ);
    for (const file of files.get(bug.id) ?? []) result.files += compareFile(file, copies.get(file.id), differ);
  }
  for (const { number } of byNumber.values()) if (!paired.has(number)) differ(`#${number} has no bug`);
  return result;
}

function bugIn(body: string): number | null {
  const found = /<!-- bugferry:1 size bug=(\d+)(?: part=\S+)? -->\s*$/u.exec(body)?.[1];
  return found === undefined ? null : Number(found);
}

/** The copies of a comment; those of a long description are its further parts. */
const copiesOf = ({ id }: TrackerComment, { comments }: Pair): readonly Copy[] =>
  comments.filter(({ body }) => originalOf(body) === id);

/** The id of the comment that a comment on GitHub is a copy of, null for other comments. */
function originalOf(body: string): number | null {
  const id = /<!-- bugferry:1 size bug=\d+ comment=(\d+)(?: part=\S+)? -->\s*$/u.exec(body)?.[1];
  return id === undefined ? null : Number(id);
}

type Differ = (what: string) => void;

function compareFields(bug: TrackerBug, { number, title, view }: Pair, isCutOver: boolean, differ: Differ): void {
  if (squeezed(bug.summary) !== squeezed(title))
    differ(`title of bug ${bug.id} is "${bug.summary}" and of #${number} "${title}"`);
  const wanted = viewOf(bug);
  if (wanted !== view && !(isCutOver && view === 'open'))
    differ(`status of bug ${bug.id} is ${wanted} and of #${number} ${view}`);
}

function viewOf({ resolution, dupe_of }: TrackerBug): string {
  if (resolution === '') return 'open';
  if (resolution === 'FIXED') return 'completed';
  return dupe_of === null ? 'not_planned' : 'duplicate';
}

/** Each comment of a person has one copy, and says there what it says. Answers how many there are. */
function compareComments(
  {
    bug,
    replies,
    isHidden,
  }: { bug: number; replies: readonly TrackerComment[]; isHidden: (comment: TrackerComment) => boolean },
  { number, comments }: Pair,
  differ: Differ,
): number {
  const copies = new Map<number, Copy[]>();
  let count = 0;
  for (const comment of comments) {
    const original = originalOf(comment.body);
    if (original !== null) copies.set(original, [...(copies.get(original) ?? []), comment]);
    if (comment.author === 'bugferry-bot') continue;
    const there = replies.filter(({ text }) => text.includes(`#issuecomment-${comment.id})`));
    if (there.length !== 1) differ(`comment ${comment.id} of #${number} has ${there.length} copies on bug ${bug}`);
    const said = there.map(({ text }) => ({ body: text }));
    compareText({ text: comment.body }, said, `comment ${comment.id} of #${number}`, differ);
    count += 1;
  }
  for (const reply of replies) {
    if (reply.creator === 'bridge@example.test' || isGenerated(reply)) continue;
    const found = copies.get(reply.id) ?? [];
    if (isHidden(reply) !== (found.length === 0))
      differ(`comment ${reply.id} of bug ${bug} has ${found.length} copies`);
    if (found.length === 0) continue;
    compareText(reply, found, `comment ${reply.id} of bug ${bug}`, differ);
    count += 1;
  }
  return count;
}

const isGenerated = ({ text }: TrackerComment): boolean =>
  text.trim() === '' || /^\*\*\* .* duplicate of .* \*\*\*$/u.test(text.trim());

/**
 * A reference becomes a link, so the text between two of them is compared. A long text may be parted in the middle of a
 * line.
 */
function compareText(
  { text }: Pick<TrackerComment, 'text'>,
  copies: readonly Pick<Copy, 'body'>[],
  what: string,
  differ: Differ,
): void {
  const copy = copies.map(({ body }) => charactersIn(body)).join('\n');
  const lines = text.split(/\n|\bbug \d+|#\d+/u).map(charactersIn);
  const lost = lines.filter((line) => line !== '' && !copy.includes(line));
  if (lost.length > copies.length - 1) differ(`${what} lacks "${lost[0]}"`);
}

const charactersIn = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
const squeezed = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const copiesIn = (files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<number, readonly [string, Uint8Array]> =>
  new Map([...files].map(([path, bytes]) => [Number(/\/(\d+)-[^/]*$/u.exec(path)?.[1] ?? 0), [path, bytes]]));

function compareFile(file: TrackerAttachment, copy: readonly [string, Uint8Array] | undefined, differ: Differ): number {
  if (file.isPrivate) {
    if (copy !== undefined) differ(`the private file ${file.id} has a copy`);
    return 0;
  }
  if (copy === undefined || Buffer.from(copy[1]).toString('base64') !== file.content)
    differ(`file ${file.id} of bug ${file.bug} differs`);
  return 1;
}
