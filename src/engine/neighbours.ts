import { type PublicNeighbour, publicNeighbour } from '../core/gate.ts';
import type { Link } from '../model/link.ts';
import type { Context } from './context.ts';
import { resolveLink } from './mentions.ts';
import { wake } from './wake.ts';

/** The links that this one's relations point to, as far as both sides can name them. */
export function neighboursOf(
  { store, route }: Context,
  { repo, tracker, github }: Pick<Link, 'repo' | 'tracker' | 'github'>,
): readonly PublicNeighbour[] {
  const found = [
    ...(tracker?.dependsOn ?? []).map((bug) => store.links.byBug(bug)),
    ...(github?.blockedBy ?? []).map((issue) => store.links.byIssue(repo, issue)),
  ];
  const neighbours = new Map<number, PublicNeighbour>();
  for (const link of found) {
    const neighbour = link?.repo === repo ? publicNeighbour(route, link) : null;
    if (neighbour !== null) neighbours.set(neighbour.bug, neighbour);
  }
  return [...neighbours.values()];
}

/** A link became whole, hidden or visible again: those that wait for its ends can name it now, or no longer. */
export function wakeDependents(context: Context, link: Link): void {
  const { repo, bug, issue } = link;
  resolveLink(context, link);
  for (const each of context.store.links.dependents(repo, bug, issue)) wake(context, each.id);
}
