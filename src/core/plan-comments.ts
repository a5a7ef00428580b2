import { bodyId, type Entry, type Link } from '../model/link.ts';
import type { CommentOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { otherSide, type Side } from '../model/side.ts';
import { aboutOf } from './about.ts';
import { lacksParts, partsThere } from './further-parts.ts';
import { withoutFooter } from './marker.ts';
import type { Sight } from './plan.ts';
import { issueReferencesOf, referencesOf, type Target } from './targets.ts';
import { bugComment, bugEdit, issueBody, issueComment } from './text/write.ts';
import { bodyDigest } from './thread.ts';

type Talk = Pick<Sight, 'link' | 'entries' | 'targets'>;

/** Comments that have no copy yet, further parts of long ones, and reports of edits, in the order in which they were written. */
export function planComments(route: Route, talk: Talk): readonly CommentOperation[] {
  const inOrder = [...talk.entries].sort((one, other) => one.createdAt - other.createdAt || one.source - other.source);
  return inOrder.flatMap((entry) => (entry.part > 1 ? [] : planEntry(route, talk, entry)));
}

/** What is to be written of one entry: all of its parts, or those that are missing. */
export function planEntry(route: Route, talk: Talk, entry: Entry): readonly CommentOperation[] {
  const { link } = talk;
  if (entry.state === 'pending') return copiesOf(route, talk, entry);
  if (entry.state !== 'mirrored') return [];
  if (entry.origin === 'github' && entry.digest !== entry.mirrored && entry.text !== null)
    return reportsOf(talk, entry, entry.text, entry.digest);
  if (lacksParts(entry, talk.entries) && entry.text !== null) return restOf(route, talk, entry);
  return entry.copy === bodyId ? editOfBody(link, entry) : [];
}

const sideOfCopy = ({ origin }: Entry): Side => otherSide(origin);

function copiesOf(route: Route, { link, targets }: Talk, entry: Entry): readonly CommentOperation[] {
  const texts = copyTexts(route, link, targets, entry);
  const key = `${link.id}:${sideOfCopy(entry)}:comment:${entry.source}`;
  return [operationFor(link, entry, { key, texts, isEdit: false }), ...furtherParts(link, entry, texts)];
}

function reportsOf({ link, targets }: Talk, entry: Entry, text: string, digest: string): readonly CommentOperation[] {
  const texts = bugEdit(entry, text, digest, issueReferencesOf(link.repo, targets));
  const edited = { ...entry, digest };
  const key = `${link.id}:tracker:edit:${entry.source}`;
  return [operationFor(link, edited, { key, texts, isEdit: true, on: 'tracker' }), ...furtherParts(link, edited, texts)];
}

/** The parts that are missing, of a copy or of a report: beyond the first they are the same. */
function restOf(route: Route, { link, entries, targets }: Talk, entry: Entry): readonly CommentOperation[] {
  const there = partsThere(entry, entries);
  return furtherParts(link, entry, copyTexts(route, link, targets, entry)).filter(({ part }) => !there.has(part));
}

/** The parts beyond the first. They are known by the text that they belong to, so that a later text is another wish. */
export function furtherParts(link: Link, entry: Entry, texts: readonly string[]): readonly CommentOperation[] {
  const key = `${link.id}:${sideOfCopy(entry)}:comment:${entry.source}:${entry.digest}`;
  return texts.slice(1).map((_text, index) => operationFor(link, entry, { key, texts, isEdit: false, part: index + 2 }));
}

function copyTexts(route: Route, link: Link, targets: readonly Target[], entry: Entry): readonly string[] {
  if (entry.origin === 'github') return bugComment(entry, issueReferencesOf(link.repo, targets));
  const references = referencesOf(link.bug, targets);
  return entry.copy === bodyId && link.tracker !== null
    ? issueBody(route, link.tracker, entry, references)
    : issueComment(route, link.bug ?? 0, entry, references);
}

interface Writing {
  readonly key: string;
  /** All parts of the text. */
  readonly texts: readonly string[];
  readonly isEdit: boolean;
  readonly part?: number;
  readonly on?: Side;
}

function operationFor(link: Link, entry: Entry, { key, texts, isEdit, part = 1, on = sideOfCopy(entry) }: Writing): CommentOperation {
  const place = { key: part === 1 ? key : `${key}:${part}`, link: link.id, about: aboutOf(link, on), entry: entry.id };
  return { kind: 'comment', on, ...place, text: texts[part - 1] ?? '', digest: entry.digest, isEdit, part, parts: texts.length };
}

/** A tracker's description cannot be edited, so an edit of the issue that shows it arrives as a comment. */
function editOfBody(link: Link, entry: Entry): readonly CommentOperation[] {
  const issue = link.github;
  if (issue === null) return [];
  const digest = bodyDigest(issue.body);
  if (entry.copyDigest === null || entry.copyDigest === digest) return [];
  // GitHub does not tell who edited it.
  const author = { login: 'somebody', name: 'somebody' };
  return reportsOf(
    { link, entries: [], targets: [] },
    { ...entry, source: bodyId, url: issue.url, author },
    withoutFooter(issue.body),
    digest,
  ).slice(0, 1);
}
