import type { Site, Topic } from './site.ts';
import { type Finding, failure } from './verdict.ts';

/** What the route takes from the tracker. */
export const selection: Topic = { name: 'selection', fine: 'the product and its components exist', find };

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
    ...(strange ? [failure(`the tracker has no keyword "${keyword}"; it has ${values.keywords?.join(', ') || 'none'}`)] : []),
  ];
}
