import { attachmentsSeen } from '../../src/sandbox/tracker/attachments/attachments.ts';
import { commentsSeen } from '../../src/sandbox/tracker/comments/comments.ts';
import { maySee } from '../../src/sandbox/tracker/installation/users.ts';
import type { TrackerBug } from '../../src/sandbox/tracker/world/state.ts';
import type { Random } from '../support/random.ts';
import { repo, type Stage } from './stage.ts';

/** Words that occur nowhere else, in everything that people can hide. */
export interface Canaries {
  act(): void;
  /** Takes note of what is hidden now, whoever hid it. */
  count(): void;
  /** The canaries that a reader without an account is not shown, and since when. */
  hidden(): ReadonlyMap<string, number>;
  /**
   * Of these, titles that everybody saw once and that were given up since: that they stood there is no secret, only
   * that they still do.
   */
  retired(): ReadonlySet<string>;
  /**
   * Of these, those that an issue goes on showing, because its bug is in another product, or its route is paused, and
   * that everybody sees: they are no secret any more, only old.
   */
  old(isPaused: boolean): ReadonlySet<string>;
  /** Titles, descriptions and comments that everybody may see, and of which bug. */
  shown(): readonly { readonly words: string; readonly bug: number }[];
}

/** Not Mallory's, nor filed from an issue of hers. */
const isHonest = ({ creator }: TrackerBug): boolean => creator === 'alice@example.test';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function canariesIn(stage: Stage, random: Random): Canaries {
  const { tracker, clock } = stage;
  const alice = tracker.as('alice');
  const insider = tracker.as('bridge-insider');
  const canaries = new Set<string>();
  const since = new Map<string, number>();
  const hiddenWhole = new Map<string, number>();
  const hiddenInPart = new Map<string, number>();
  const everShown = new Set<string>();
  const retired = new Map<string, number>();
  let serial = 0;
  const canary = (kind: string): string => {
    serial += 1;
    const words = `canary${kind}x${serial}x`;
    canaries.add(words);
    return words;
  };
  const bugs = () => tracker.bugs().filter(({ product }) => product === 'Widget');
  const someBug = () => random.pick(bugs());
  const file = () => {
    const fields = {
      summary: canary('title'),
      description: canary('description'),
      alias: canary('alias'),
      whiteboard: canary('board'),
    };
    const groups = random.chance(0.3) ? { groups: ['security'] } : {};
    const id = alice.file({ ...fields, ...groups });
    alice.change(id, {
      url: `https://example.test/${canary('url')}`,
      see_also: { add: [`https://github.com/o/${canary('also')}/issues/1`] },
    });
  };
  const acts: readonly (() => void)[] = [
    file,
    () => alice.comment(someBug().id, canary('said'), { isPrivate: random.chance(0.25) }),
    () => alice.comment(someBug().id, `${canary('refers')} See bug ${someBug().id}, and comment 1.`),
    () => {
      const words = { file_name: `${canary('name')}.bin`, summary: canary('summary'), comment: canary('with') };
      insider.attach(someBug().id, { bytes: bytesOf(canary('content')), ...words, is_private: random.chance(0.3) });
    },
    // Mallory gives hers other titles, of which nothing is noted here.
    () => {
      const bug = random.pick(bugs().filter(isHonest));
      if (bug !== undefined) rename(bug);
    },
    () => alice.change(someBug().id, { depends_on: { add: [someBug().id] } }),
    () => alice.change(someBug().id, { dupe_of: someBug().id }),
    () =>
      alice.change(someBug().id, {
        severity: random.pick(['major', 'minor']),
        target_milestone: random.pick(['1.1', '2.0']),
      }),
    ...Array.from({ length: 3 }, () => hideBug),
    ...Array.from({ length: 3 }, () => hideComment),
    ...Array.from({ length: 2 }, () => hideFile),
  ];

  function rename({ id, summary, groups }: { id: number; summary: string; groups: readonly string[] }): void {
    alice.change(id, { summary: canary('title') });
    // A title that everybody saw until now is no secret; it is only old.
    if (groups.length === 0) canaries.delete(summary);
    else if (everShown.has(summary)) retired.set(summary, id);
  }
  function hideBug(): void {
    const { id, groups } = someBug();
    alice.change(id, { groups: groups.length === 0 ? { add: ['security'] } : { remove: groups } });
  }
  function hideComment(): void {
    const comment = random.pick(tracker.commentsOf(someBug().id).concat());
    if (comment !== undefined)
      insider.change(comment.bug, { comment_is_private: { [comment.id]: !comment.isPrivate } });
  }
  function hideFile(): void {
    const attachment = random.pick([...tracker.state.attachments.values()]);
    if (attachment !== undefined) insider.changeAttachment(attachment.id, { is_private: !attachment.isPrivate });
  }
  /**
   * A bug that is hidden and a comment that is private are two reasons, each seen by itself: words that are hidden all
   * the time, first for the one and then for the other, could be known to be hidden only since the one began that still
   * holds.
   */
  function count(): void {
    const shown = publicWords(stage, (bug) => maySee(null, bug));
    const shownInPart = publicWords(stage, () => true);
    const { state } = tracker;
    const closed = [...state.bugs.values()].filter((bug) => !maySee(null, bug));
    const closedWords = JSON.stringify(closed.map((bug) => [bug, state.comments.get(bug.id)]));
    for (const each of canaries) {
      if (shown.includes(each)) everShown.add(each);
      mark(hiddenInPart, each, !shownInPart.includes(each));
      mark(hiddenWhole, each, !shown.includes(each) && (shownInPart.includes(each) || closedWords.includes(each)));
    }
    since.clear();
    for (const reasons of [hiddenWhole, hiddenInPart])
      for (const [each, at] of reasons) if (canaries.has(each)) since.set(each, Math.min(at, since.get(each) ?? at));
  }
  function mark(reasons: Map<string, number>, words: string, holds: boolean): void {
    if (!holds) reasons.delete(words);
    else if (!reasons.has(words)) reasons.set(words, clock.now());
  }
  return {
    act() {
      try {
        (bugs().length === 0 ? file : random.pick(acts.concat()))();
      } catch (error) {
        if (!(error instanceof Error && error.constructor.name === 'TrackerError')) throw error;
      }
      count();
    },
    count,
    hidden: () => since,
    retired: () => new Set(retired.keys()),
    old(isPaused) {
      const isLeft = (bug: TrackerBug): boolean => isPaused || bug.product !== 'Widget';
      const open = new Set(
        [...tracker.state.bugs.values()].flatMap((bug) => (maySee(null, bug) && isLeft(bug) ? [bug.id] : [])),
      );
      return new Set([...retired].flatMap(([title, bug]) => (open.has(bug) ? [title] : [])));
    },
    shown: () =>
      bugs()
        .filter((bug) => maySee(null, bug) && isHonest(bug))
        .flatMap(({ id, summary }) => [summary, ...spoken(stage, id)].map((words) => ({ words, bug: id }))),
  };
}

/** The first words of what a reader without an account can read on a bug; what names a private file does not count. */
function spoken(stage: Stage, bug: number): readonly string[] {
  return readComments(stage, bug).flatMap((text) => /canary(?:description|said|refers)x\d+x/u.exec(text)?.[0] ?? []);
}

function readComments({ tracker: { state } }: Stage, bug: number): readonly string[] {
  const isHidden = (text: string): boolean => {
    const [, id] = /^(?:Created|Comment on) attachment (\d+)/u.exec(text) ?? [];
    return id !== undefined && state.attachments.get(Number(id))?.isPrivate === true;
  };
  return commentsSeen(state, null, bug, null).flatMap(({ text }) => (isHidden(text) ? [] : [text]));
}

/** Everything of the tracker that a reader without an account can read. */
/** What of the bugs that are seen is for everybody. */
export function publicWords(stage: Stage, isSeen: (bug: TrackerBug) => boolean): string {
  const { state } = stage.tracker;
  const open = [...state.bugs.values()].filter(isSeen);
  return JSON.stringify(
    open.map((bug) => [
      ...[bug.summary, bug.alias, bug.url, bug.see_also, bug.whiteboard],
      readComments(stage, bug.id),
      attachmentsSeen(state, null, bug.id).map(({ fileName, summary, content }) => [
        fileName,
        summary,
        Buffer.from(content ?? '', 'base64').toString(),
      ]),
    ]),
  );
}

/** Whether the words stand on an issue that mirrors the bug. */
export function isPublished({ github, store }: Stage, bug: number, words: string): boolean {
  const link = store.links.after('widget', null, 1_000_000).find((each) => each.bug === bug);
  const issue = link?.issue ? github.issue(repo, link.issue) : null;
  if (!issue) return link?.state === 'tombstone';
  return [issue.title, issue.body ?? '', ...github.commentsOf(repo, issue.number).map(({ body }) => body)].some(
    (text) => text.includes(words),
  );
}
