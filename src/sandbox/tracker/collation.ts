/**
 * Texts as the tracker's database compares them: letter case and accents make no difference. Only a search for a part of a text is
 * narrower: there a piece must also be as long in bytes as what is sought, so that "unicode" is not found in "Ünïcode".
 */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ø', 'o');

export const areSame = (one: string, other: string): boolean => folded(one) === folded(other);

/** Less than, equal to or greater than 0. */
export function order(one: string, other: string): number {
  const [left, right] = [folded(one), folded(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}

export function contains(text: string, part: string): boolean {
  if (part === '' || text.includes(part)) return true;
  const [wanted, bytes] = [folded(part), Buffer.byteLength(part)];
  if (!folded(text).includes(wanted)) return false;
  const characters = [...text];
  return characters.some((_, start) => {
    let piece = '';
    for (let at = start; at < characters.length && Buffer.byteLength(piece) < bytes; at++) piece += characters[at] ?? '';
    return Buffer.byteLength(piece) === bytes && folded(piece) === wanted;
  });
}

/** True when the word stands in the text by itself: no letter or digit on either side. */
export function containsWord(text: string, word: string): boolean {
  return contains(text, word) && new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}($|[^\\p{L}\\p{N}])`, 'iu').test(text);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
