import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { repoOf } from '../../kernel/linked.ts';
import { forgetSetAside, spare, spareOf } from '../../kernel/set-aside.ts';
import { bugId, issueNumber, type LinkId } from '../../model/ids.ts';
import type { LinkPull, Pull } from '../../model/pulls/pull.ts';
import { namedItems, type PullTexts } from '../../rules/links/pulls.ts';

/** What ended longer ago when it is first seen is no news: somebody only touched an old pull request. */
const newsMs = 86_400_000;

/** Anybody can open a pull request that names all bugs, and each of them would send mail. */
const linksMax = 10;

/** Stores changed pull requests with the links that they name, and marks those for which something is new. */
export function observePulls(context: Context, pulls: readonly Pull[]): void {
  const { store, route } = context;
  for (const pull of pulls) {
    const known = new Map(store.pulls.ofPull(route.name, pull.number).map((each) => [each.link, each]));
    const isNews = pull.endedAt === null || pull.changedAt - pull.endedAt < newsMs;
    const work = { side: 'github', ref: pull.number, stage: 'read', of: 'item' } as const;
    const named = spare(context, { ...work, content: () => pull }, () =>
      isNews ? namedLinks(context, pull, route.pulls ?? []) : [],
    );
    if (named === null) continue;
    forgetSetAside(context, work);
    const links = new Set([...known.keys(), ...named]);
    for (const link of links.size > linksMax ? known.keys() : links)
      spareOf(context, link, 'read', () => keepPull(context, link, pull, known.get(link) ?? null));
  }
}

/** The live links of the route that a text names. */
export function namedLinks(context: RouteState, text: PullTexts, written: readonly string[]): readonly LinkId[] {
  const { store, route } = context;
  const { bugs, issues } = namedItems(route, text, written);
  const found = [
    ...[...bugs].map((bug) => store.links.byBug(bugId(bug))),
    ...[...issues].map((number) => store.links.byIssue(repoOf(context), issueNumber(number))),
  ];
  return [...new Set(found.flatMap((link) => (link?.route === route.name && link.state === 'live' ? link.id : [])))];
}

function keepPull(context: RouteState, link: LinkId, pull: Pull, known: LinkPull | null): void {
  const { number, url, title, state, author } = pull;
  if (known !== null && known.title === title && known.state === state && known.url === url) return;
  const shown = known?.shown ?? null;
  context.store.pulls.save({ link, number, url, title, state, login: author.login, told: known?.told ?? [], shown });
  if (known?.state !== state || shown !== null) markDirty(context, link);
}
