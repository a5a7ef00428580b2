import type { Fields } from '../model/fields.ts';
import type { CreateOperation } from '../model/operation.ts';

export type IssueCreation = Extract<CreateOperation, { readonly on: 'github' }>;

/**
 * A new issue with nothing but its title and its text, for a GitHub that refuses it as a whole and does not say why. What it no longer
 * expresses counts as never said, so that the next plan sets it, and what is refused then is parked by itself.
 */
export function bareOf(create: IssueCreation): IssueCreation {
  const { title, body } = create.draft;
  return { ...create, draft: { title, body, labels: [] }, target: inText(create.target), source: inText(create.source) };
}

/** The table stands in the text. */
const inText = ({ title, table }: Fields): Fields => ({
  ...(title === undefined ? {} : { title }),
  ...(table === undefined ? {} : { table }),
});
