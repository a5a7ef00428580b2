import type { Milestone, Part, Product } from '../world/state.ts';

/** The versions of one product, as the server sorts them. Across products it sorts by number, that is by age. */
export const versionsOf = ({ versions }: Product): readonly Part[] =>
  versions.toSorted((one, other) => compareVersions(one.name, other.name));

/** Milestones have a place of their own, within a product and across products. */
export const compareMilestones = (one: Milestone, other: Milestone): number =>
  one.sortKey - other.sortKey || one.name.localeCompare(other.name) || one.id - other.id;

export const namesOf = (parts: readonly Part[]): readonly string[] => parts.map(({ name }) => name);

export const byId = (one: Part, other: Part): number => one.id - other.id;

/**
 * Compares names of versions piece by piece: numbers by their value, words without case, and a hyphen or dot before
 * both. Zeros at the start do not count, but a piece that begins with one is compared as text: 1.09 comes before 1.9.
 */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [piecesOf(one), piecesOf(other)];
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    const result = comparePieces(ours[index] ?? '', theirs[index] ?? '');
    if (result !== 0) return result;
  }
  return ours.length - theirs.length;
}

const piecesOf = (name: string): readonly string[] =>
  name
    .toUpperCase()
    .replace(/^0*(\d.+)/, '$1')
    .match(/[-.]|\d+|[^-.\d]+/g) ?? [];

function comparePieces(one: string, other: string): number {
  for (const sign of ['-', '.'])
    if (one === sign || other === sign) return Number(other === sign) - Number(one === sign);
  const areNumbers = [one, other].every((piece) => /^[1-9]\d*$/.test(piece));
  if (areNumbers) return Number(one) - Number(other);
  return Number(one > other) - Number(one < other);
}
