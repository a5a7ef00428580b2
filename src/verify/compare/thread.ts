import type { Difference, Findings } from '../../model/reports/verification.ts';
import { headingIn } from '../../rules/attachments/linked.ts';
import { textFindings } from './difference.ts';
import { commentLinksOf, commentName, type Pair } from './seen-pair.ts';
import { partingOf } from './words.ts';

/** Copies of comments that our account can no longer see: they were made private, or an administrator deleted them. */
export function hiddenOriginals({ commentLinks, thread, texts }: Pair): Findings {
  const seen = new Set(thread.map(({ id }) => id));
  const gone = commentLinks.filter(
    ({ origin, source, part }) => origin === 'tracker' && part === 1 && !seen.has(source),
  );
  const differences = gone.flatMap(({ copy, source }): readonly Difference[] => {
    const text = texts.find(({ id }) => id === copy);
    if (text === undefined || text.head === null) return [];
    const about = text.head.place === '' ? `comment id ${source}` : text.head.place;
    const words = 'is no longer shown by the tracker (private, or deleted), and its copy is on GitHub';
    return [
      {
        aspect: 'private',
        about,
        words,
        tracker: null,
        github: text.gist.text === null ? null : partingOf(text.gist.text, '')[0],
      },
    ];
  });
  return textFindings(differences, [], 0);
}

/**
 * Copies are in the order of the tracker's comments, or of their dates if one became visible late. A comment whose file
 * became public later than the comment may come later.
 */
export function compareOrder(pair: Pair): Findings {
  const copied = [...pair.thread]
    .sort((one, other) => one.id - other.id)
    .flatMap((comment) => {
      const [commentLink] = commentLinksOf(pair, comment);
      const at =
        commentLink?.copy === null || commentLink === undefined
          ? -1
          : pair.texts.findIndex(({ id }) => id === commentLink.copy);
      return at < 0 ? [] : [{ comment, at }];
    });
  const late = copied.flatMap(({ comment, at }, index) => {
    const after = copied
      .slice(index + 1)
      .find((other) => other.at < at && other.comment.createdAt >= comment.createdAt);
    return after === undefined ? [] : [{ comment, after: after.comment }];
  });
  const differences = late
    .filter(({ comment }) => headingIn(comment.text) === null)
    .map(({ comment, after }): Difference => {
      const words = `is below ${commentName(after)} on GitHub, which is newer`;
      return { aspect: 'order', about: commentName(comment), words, tracker: null, github: null };
    });
  const leftOut = late
    .filter(({ comment }) => headingIn(comment.text) !== null)
    .map(({ comment, after }) => ({
      about: commentName(comment),
      why: `it is below ${commentName(after)}, as its file could only be shown later`,
    }));
  return textFindings(differences, leftOut, 0);
}
