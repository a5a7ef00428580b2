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
  const wanted = folded(part);
  return folded(text).includes(wanted) && hasPiece(text, wanted, Buffer.byteLength(part));
}

/** Whether a piece of so many bytes folds to what is wanted. Long texts are searched too: each character is folded and measured once. */
function hasPiece(text: string, wanted: string, bytes: number): boolean {
  const ends = new Map<number, number>();
  const starts: { readonly byte: number; readonly at: number }[] = [];
  let [whole, byte] = ['', 0];
  for (const character of text) {
    starts.push({ byte, at: whole.length });
    byte += Buffer.byteLength(character);
    whole += folded(character);
    ends.set(byte, whole.length);
  }
  return starts.some((start) => ends.get(start.byte + bytes) === start.at + wanted.length && whole.startsWith(wanted, start.at));
}

/** True when the word stands in the text by itself: no letter or digit on either side. */
export function containsWord(text: string, word: string): boolean {
  return contains(text, word) && new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}($|[^\\p{L}\\p{N}])`, 'iu').test(text);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
