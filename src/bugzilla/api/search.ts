/** The bugs of one product, in pages. A search fails open (an unknown condition finds everything), so every bug is checked for its product. */

import type { Bug } from '../../model/item.ts';
import { type CharacterSupport, read } from '../character-support.ts';
import type { TrackerClient } from '../connection/client.ts';
import { createKeyset } from '../connection/keyset.ts';
import { trackerTime } from '../connection/value.ts';
import { detailedBug, type Extras, extraFields } from '../map.ts';
import { bugFields, bugSchema } from '../schema.ts';

export interface SearchPage {
  readonly bugs: readonly Bug[];
  /** The id to continue from; null on the last page. */
  readonly next: number | null;
  readonly readAt: number | null;
}

export interface Search {
  /** One page of the bugs with an id above `after`, changed at `changedSinceAt` (inclusive, whole seconds) or later. */
  page(after: number, changedSinceAt: number | null): Promise<SearchPage>;
}

interface SearchOptions {
  readonly client: TrackerClient;
  readonly product: string;
  readonly url: string;
  readonly pageSize: number;
  readonly extras: Extras;
  readonly characters: CharacterSupport;
  readonly warn: (message: string) => void;
}

export function createSearch({ client, product, url, pageSize, extras, characters, warn }: SearchOptions): Search {
  const keyset = createKeyset({
    client,
    bug: bugSchema,
    fields: { include_fields: [bugFields, ...extraFields(extras)].join(',') },
    criteria: { product },
    pageSize,
    leaveOut: (bug, { message }) => warn(`bug ${bug} is left out, because the tracker cannot show it: ${message}`),
  });
  return {
    async page(after, changedSinceAt) {
      const since = changedSinceAt === null ? {} : { last_change_time: trackerTime(changedSinceAt) };
      const { bugs, next, readAt } = await keyset.page(after, since);
      const own = bugs.filter((bug) => bug.product === product);
      return { bugs: own.map((bug) => read(characters, detailedBug(bug, url, extras))), next, readAt };
    },
  };
}
