import type { Context } from '../../kernel/context.ts';
import { rereadGithub } from '../../kernel/unread.ts';
import type { Item } from '../../model/item.ts';
import { Halted, NotPublic } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/operation.ts';
import type { Page } from '../../model/replica.ts';
import { needsPublicRepository, whyRefused } from '../../rules/privacy/gate.ts';
import { rememberRepository, whyAnotherRepository } from '../settle/renamed.ts';

/**
 * Has a plan that writes to the tracker, or opens issues, ask once more what has the repository's name, and who reads
 * it: it may have become private since the route greeted it, up to a day ago, or another repository may have its name.
 * Any other plan asks nothing, and an answer that stays is free. Throws `SideError`.
 */
export async function confirmAudience(context: Context, { operations }: Plan): Promise<void> {
  const { route, github } = context;
  const writes = operations.some(({ on }) => on === 'tracker');
  if (!writes && operations.every(({ kind }) => kind !== 'create')) return;
  const standing = await github.standing();
  const { id, isPrivate } = standing;
  const another = id === null ? null : await whyAnotherRepository(context, id);
  if (another !== null) throw new Halted(another, 'github');
  rememberRepository(context, standing);
  const why = writes ? whyRefused(route, { isPrivate, isServed: null }) : null;
  if (why === null) return;
  // What was read of it since may be gone before everyone may read it again.
  rereadGithub(context);
  throw new NotPublic(why, 'github');
}

/**
 * The context for reading: what GitHub says in it is confirmed to be for everyone before it is stored, if the route
 * publishes it on the tracker. What people say in a private repository may be gone before everyone may read it again.
 */
export function readInPublic(context: Context): Context {
  const { route, github } = context;
  if (!needsPublicRepository(route)) return context;
  const confirmed =
    <Ask extends readonly unknown[], Found>(
      read: (...ask: Ask) => Promise<Found>,
      hasWords: (found: Found) => boolean,
    ) =>
    async (...ask: Ask): Promise<Found> => {
      const found = await read(...ask);
      if (hasWords(found)) await confirmReaders(context);
      return found;
    };
  const hasItems = ({ items, comments }: Page<Item>): boolean => items.length + comments.length > 0;
  return {
    ...context,
    github: {
      ...github,
      changes: confirmed(github.changes, (found) => hasItems(found) || !!found.pulls?.length || !!found.push),
      list: confirmed(github.list, hasItems),
      threads: confirmed(github.threads, (found) => found.some(({ comments }) => comments.length > 0)),
      probe: confirmed(github.probe, ({ kind }) => kind === 'there'),
      madeSince: confirmed(github.madeSince, ({ issues }) => issues.length > 0),
    },
  };
}

async function confirmReaders({ route, github }: Context): Promise<void> {
  const { isPrivate } = await github.standing();
  const why = whyRefused(route, { isPrivate, isServed: null });
  if (why !== null) throw new NotPublic(why, 'github');
}
