/**
 * Who we are, under the names of now. An account may get another login at any time, and somebody else the one that it
 * had. By its number it stays the same; what shows only a login is judged by a name that was asked for after it was
 * written.
 */

import type { Context } from '../kernel/context.ts';
import { linkOf } from '../kernel/linked.ts';
import { type Side, sides } from '../model/ids.ts';
import { type Comment, type Item, stampMs } from '../model/item.ts';
import { type Account, isBy, isLogin } from '../model/people.ts';

/** Asks for our name if these show our number with another name, our name with another number, or our name alone. */
export async function confirmNamesOn(
  context: Context,
  side: Side,
  { items = [], comments }: { readonly items?: readonly Item[]; readonly comments: readonly Comment[] },
): Promise<void> {
  const own = context.session.own[side];
  if (own === null) return;
  const people = [...items.map((item) => (item.kind === 'bug' ? item.creator : item.author)), ...comments.map(byWhom)];
  if (people.some((person) => isContrary(person, own))) return confirmName(context, side, context.clock.now());
  const named = comments.filter((each) => each.author.id === undefined && isBy(each.author, own));
  const unknown = named.filter((each) => !isKnown(context, each));
  if (unknown.length > 0)
    await confirmName(context, side, Math.max(...unknown.map(({ createdAt }) => createdAt + stampMs)));
}

/**
 * Asks for our name after each request in doubt left: what it made may show that name alone. Throws `SideError`.
 */
export async function confirmNamesInDoubt(context: Context): Promise<void> {
  const { store, route, session } = context;
  const rows = [...store.outbox.eachSent(route.name)];
  for (const side of sides) {
    const sentAt = Math.max(
      0,
      ...rows.flatMap(({ operation, sentAt: at }) => (operation.on === side ? (at ?? 0) : [])),
    );
    // Comments of the tracker show no number.
    const isByName = side === 'tracker' || session.own.github?.id === undefined;
    if (sentAt > 0 && isByName && session.own[side] !== null) await confirmName(context, side, sentAt + stampMs);
  }
}

async function confirmName(context: Context, side: Side, sinceAt: number): Promise<void> {
  const { session, clock } = context;
  const now = await context[side].account(Math.min(sinceAt, clock.now()));
  if (now !== null) session.own = { ...session.own, [side]: now };
}

const byWhom = ({ author }: Comment): Account => author;

const isContrary = (person: Account, own: Account): boolean =>
  person.id !== undefined && own.id !== undefined && (person.id === own.id) !== isLogin(person.login, own.login);

function isKnown(context: Context, { side, ref, id }: Comment): boolean {
  const link = linkOf(context, side, ref);
  return link !== null && context.store.commentLinks.named(link.id, { counts: [], ids: [id] }).length > 0;
}
