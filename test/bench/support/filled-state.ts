import { bugId, issueNumber } from '../../../src/model/ids.ts';
import type { Link, NewCommentLink } from '../../../src/model/link.ts';
import type { Store } from '../../../src/model/store.ts';

/** The first bug that is only remembered, and stands on no side. */
export const firstRemembered = 1_000_000;
export const commentLinksPerLink = 3;
/** How many pairs a state in memory is given at most; it takes some 3 kB for each. */
export const linksHeldMax = 100_000;
const batch = 1_000;

/**
 * Adds this many pairs to a state that knows one already: each like that one, with a description and two comments. For
 * what depends on how much is remembered, and not on how it came about.
 */
export function fillState(store: Store, count: number, report: (done: number) => void): void {
  const model = store.links.byBug(bugId(1));
  if (model === null) throw new Error('The state knows no pair that others could be like.');
  for (let done = 0; done < count; done += batch) {
    store.transaction(() => {
      for (let index = done; index < Math.min(done + batch, count); index += 1)
        addLike(store, model, firstRemembered + index);
    });
    report(Math.min(done + batch, count));
  }
}

function addLike(store: Store, model: Link, number: number): void {
  const { id: modelId, tracker, github, ...rest } = model;
  if (tracker === null || github === null) throw new Error('The pair that others are like is not whole.');
  const [bug, issue] = [bugId(number), issueNumber(number)];
  const { id } = store.links.add({
    ...rest,
    bug,
    issue,
    tracker: { ...tracker, id: bug },
    github: { ...github, number: issue, id: number },
  });
  const [first] = store.commentLinks.ofLink(modelId);
  if (first === undefined) throw new Error('The pair that others are like has no description.');
  const { id: _id, ...commentLink } = first;
  for (let index = 0; index < commentLinksPerLink; index += 1) {
    const source = number * commentLinksPerLink + index;
    const known = { ...commentLink, link: id, source, count: index };
    store.commentLinks.add(index === 0 ? known : { ...known, ...mirroredAs(known, source) });
  }
}

const mirroredAs = ({ copy }: NewCommentLink, id: number) =>
  ({ state: 'mirrored', reason: null, copy: { digest: null, isEdited: false, minimize: null, ...copy, id } }) as const;
