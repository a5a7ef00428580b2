import type { Vocabulary } from '../../model/route.ts';
import { choiceNames, choices } from './installation/installation.ts';
import { statuses, workflow } from './installation/workflow.ts';
import type { TrackerState } from './world/state.ts';

/** The values that the tracker accepts for bugs of a product. */
export function vocabularyOf(state: TrackerState, productName: string): Vocabulary {
  const product = state.products.find(({ name }) => name === productName);
  const chosen = Object.fromEntries(choiceNames.map((name) => [name, choices[name].values]));
  const ofProduct =
    product === undefined
      ? {}
      : { component: product.components.map(({ name }) => name), version: product.versions, milestone: product.milestones };
  const choosing = state.customFields.filter(({ kind }) => kind === 'select' || kind === 'multi');
  const ofCustoms = Object.fromEntries(choosing.map(({ name, values }) => [name, values]));
  return {
    values: { ...chosen, ...ofProduct, ...ofCustoms, keywords: state.keywords.map(({ name }) => name) },
    customs: Object.fromEntries(
      state.customFields.map(({ name, kind }) => [name, kind === 'select' ? 'one' : kind === 'multi' ? 'several' : 'other']),
    ),
    ...(state.markdown === 'none' ? {} : { takesMarkdown: true }),
    workflow: Object.fromEntries(statuses.map((status) => [status, workflow[status] ?? []])),
  };
}
