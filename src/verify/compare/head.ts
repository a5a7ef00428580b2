import { type Comment, type Person, shortName } from '../../model/item.ts';
import { isLogin } from '../../model/people.ts';
import type { Difference } from '../../model/reports/verification.ts';
import { isSamePage } from './links.ts';
import type { Pair } from './seen-pair.ts';
import type { SeenText } from './seen-text.ts';
import { unbroken } from './words.ts';

/** The first line of a copy: who wrote the original and when, and a link to it. */
export function compareHead(pair: Pair, comment: Comment, { head }: SeenText): readonly Difference[] {
  const { bug } = pair;
  const about = comment.count === 0 ? 'description' : `comment ${comment.count ?? comment.id}`;
  const isOpening = head?.kind === 'opened';
  const person = isOpening || isLogin(comment.author.login, bug.creator.login) ? bug.creator : comment.author;
  if (head === null)
    return [
      { aspect: 'author', about, words: 'does not say on GitHub who wrote it', tracker: person.name, github: null },
    ];
  const differences: Difference[] = [];
  if (!namesOf(pair, person).includes(plain(head.who))) {
    differences.push({
      aspect: 'author',
      about,
      words: 'names another author on GitHub',
      tracker: person.name,
      github: head.who,
    });
  }
  const minute = minuteOf(isOpening ? bug.createdAt : comment.createdAt);
  if (head.minute !== minute) {
    differences.push({
      aspect: 'date',
      about,
      words: 'has another date on GitHub',
      tracker: minute,
      github: head.minute,
    });
  }
  const [place, url] = isOpening ? [`bug ${bug.id}`, bug.url] : [`comment ${comment.count}`, comment.url];
  if (head.place !== place || !isSamePage(head.placeUrl, url)) {
    const words = 'does not link to its original';
    differences.push({
      aspect: 'reference',
      about,
      words,
      tracker: `${place} (${url})`,
      github: `${head.place} (${head.placeUrl})`,
    });
  }
  return differences;
}

/**
 * The possible names of a person, regardless of `people` at the time of the copy, and of what the tracker shows to
 * anonymous readers.
 */
function namesOf({ route }: Pair, { login, name }: Person): readonly string[] {
  const mapped = route.people.github.get(login.toLowerCase());
  const names = [name, shortName({ login })];
  return [...names, ...(mapped === undefined ? [] : [...names.map((each) => `${each} (${mapped})`), `@${mapped}`])].map(
    plain,
  );
}

/** No e-mail address of a person is ever shown in full. */
const plain = (name: string): string =>
  unbroken(name)
    .replace(/(?<![\p{L}\p{N}_.+-])([\p{L}\p{N}_.+-]+)@[\p{L}\p{N}.…-]+/gu, '$1@')
    .replace(/\s+/gu, ' ')
    .trim();

const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
