import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** What the route takes from the tracker. */
export const selection: Topic = { name: 'selection', fine: 'the product, and what the route takes of it, exist', find };

function find({ route, vocabulary: { values } }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  const { product, components, keyword } = route.selection;
  const known = values.component;
  if (known === undefined) {
    return [failure(`the tracker shows our account no product ${product}; check its spelling and the rights of the account`)];
  }
  const missing = (components ?? []).filter((component) => !known.includes(component));
  const strange = keyword !== null && values.keywords !== undefined && !values.keywords.includes(keyword);
  return [
    ...missing.map((component) => failure(`product ${product} has no component "${component}"; it has ${known.join(', ')}`)),
    ...(keyword !== null && values.keywords === undefined
      ? [warning(`the tracker does not tell its keywords, so nobody has looked whether it has "${keyword}"; compare its spelling`)]
      : []),
    ...(strange ? [failure(`the tracker has no keyword "${keyword}"; it has ${values.keywords?.join(', ') || 'none'}`)] : []),
  ];
}
