import type { Entry, Link } from '../model/link.ts';
import type { CommentOperation } from '../model/operation.ts';
import { otherSide, type Side } from '../model/side.ts';
import { aboutOf } from './about.ts';

/** The parts beyond the first. They are known by the text that they belong to, so that a later text is another wish. */
export function furtherParts(link: Link, entry: Entry, texts: readonly string[], isMarkdown = false): readonly CommentOperation[] {
  const key = `${link.id}:${sideOfCopy(entry)}:comment:${entry.source}:${entry.digest}`;
  return texts.slice(1).map((_text, index) => operationFor(link, entry, { key, texts, tells: 'copy', part: index + 2, isMarkdown }));
}

export interface Writing {
  readonly key: string;
  /** All parts of the text. */
  readonly texts: readonly string[];
  readonly tells: CommentOperation['tells'];
  readonly part?: number;
  readonly on?: Side;
  readonly isMarkdown?: boolean;
}

export function operationFor(
  link: Link,
  entry: Entry,
  { key, texts, tells, part = 1, on = sideOfCopy(entry), isMarkdown = false }: Writing,
): CommentOperation {
  const place = { key: part === 1 ? key : `${key}:${part}`, link: link.id, about: aboutOf(link, on), entry: entry.id };
  const style = isMarkdown ? { isMarkdown } : {};
  return { kind: 'comment', on, ...place, text: texts[part - 1] ?? '', ...style, digest: entry.digest, tells, part, parts: texts.length };
}

export const sideOfCopy = ({ origin }: Entry): Side => otherSide(origin);
