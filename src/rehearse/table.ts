import type { Family } from './case.ts';
import { commits } from './cases/commits.ts';
import { connection } from './cases/connection.ts';
import { fields } from './cases/fields.ts';
import { files } from './cases/files.ts';
import { gone } from './cases/gone.ts';
import { graphql } from './cases/graphql.ts';
import { imports } from './cases/imports.ts';
import { labels } from './cases/labels.ts';
import { lists } from './cases/lists.ts';
import { moves } from './cases/moves.ts';
import { sizes } from './cases/sizes.ts';
import { states } from './cases/states.ts';
import { transfers } from './cases/transfers.ts';
import { webhooks } from './cases/webhooks.ts';

/** All cases, in the order in which they run. */
export const families: readonly Family[] = [
  connection,
  lists,
  moves,
  sizes,
  labels,
  fields,
  states,
  graphql,
  files,
  commits,
  imports,
  gone,
  transfers,
  webhooks,
];
