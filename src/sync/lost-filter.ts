/** The keyword and the label that choose what a route mirrors, and that people renamed or deleted. */

import type { Context } from '../kernel/context.ts';
import { repoOf } from '../kernel/linked.ts';
import { SideError } from '../model/outcome.ts';
import { lacksKeyword } from '../rules/labels/labels-and-fields.ts';

/** What is wrong with the label; null if nothing is, or if the route has none. Throws `SideError`. */
export async function whyNoLabel({ route, github }: Pick<Context, 'route' | 'github'>): Promise<string | null> {
  const { label, name } = route;
  if (label === null || (await github.hasLabel(label))) return null;
  return `${repoOf({ route })} has no label "${label}", so no new issue crosses: if it was renamed, correct "label" under "github" of route ${name}; else create it.`;
}

type Asked = Pick<Context, 'route'> & { readonly session: Pick<Context['session'], 'vocabulary'> };

function whyNoKeyword({ route: { name, selection }, session: { vocabulary } }: Asked): string | null {
  const { keyword } = selection;
  if (keyword === null || !lacksKeyword(vocabulary, keyword)) return null;
  const known = vocabulary.values['keywords']?.join(', ');
  return `the tracker has no keyword "${keyword}", so no new bug crosses; it has ${known || 'none'}: if it was renamed, correct "keyword" under "tracker" of route ${name}.`;
}

/** Whether nothing can cross yet, because the keyword is wrong: a route with pairs goes on with them. */
export const isKeywordWrongAtFirst = ({ store, ...asked }: Asked & Pick<Context, 'store'>): boolean =>
  whyNoKeyword(asked) !== null && store.links.count(asked.route.name).whole === 0;

/**
 * The last step of a full comparison, as cycles go on with the pairs. Of the label, only `check` speaks: perhaps nobody
 * has used it yet.
 * @throws SideError
 */
export function refuseLostKeyword(context: Asked): void {
  const noKeyword = whyNoKeyword(context);
  if (noKeyword !== null) throw new SideError('refused', noKeyword, { side: 'tracker' });
}
