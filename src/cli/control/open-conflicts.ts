import { decidedIn } from '../../explain/queued.ts';
import { ledgerInWords, linkInWords, timeInWords } from '../../explain/words.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { Conflict } from '../../model/plan/operation.ts';
import { findLink, redactionOf } from '../../wire/bridge.ts';
import type { View } from '../../wire/view.ts';
import { UsageError } from '../exit-code.ts';
import { named } from '../show/explain.ts';

/** A pair, and its open conflicts. */
export interface Undecided {
  readonly link: Link;
  readonly open: readonly Conflict[];
}

/** The conflicts of the named bug or issue. Throws `UsageError` if it has none. */
export function openOf(reader: View, words: readonly string[], field: string | undefined): Undecided {
  const target = named('decide', words);
  const link = findLink(reader.store, reader.routes, target);
  if (link === null) throw new UsageError(`${target.about} is not mirrored.`);
  const open = conflictsOf(reader, link.id).filter((conflict) => field === undefined || conflict.field === field);
  if (open.length === 0) throw new UsageError(whyNothingToDecide(reader, link, field));
  return { link, open };
}

/** All conflicts for which no decision waits. */
export function allOpen(reader: View, field: string | undefined): readonly Undecided[] {
  const { store, routes } = reader;
  const found = routes.flatMap(({ name }) => store.findings.ofRoute(name, Number.MAX_SAFE_INTEGER).conflicts);
  const commands = routes.flatMap(({ name }) => reader.controlQueue.of(name));
  const pairs = [...new Set(found.map(({ link }) => link))].flatMap((id): readonly Undecided[] => {
    const link = store.links.byId(id);
    const open = conflictsOf(reader, id).filter(
      (conflict) => (field === undefined || conflict.field === field) && decidedIn(commands, conflict) === null,
    );
    return link === null || link.state !== 'live' || open.length === 0 ? [] : [{ link, open }];
  });
  return pairs.toSorted((one, other) => (one.link.bug ?? 0) - (other.link.bug ?? 0));
}

function whyNothingToDecide({ store }: View, link: Link, field: string | undefined): string {
  const none = `There is no conflict${field === undefined ? '' : ` of the ${field}`} on ${linkInWords(link)}.`;
  const last = store.ledger
    .ofLink(link.id)
    .findLast(({ kind, detail }) => kind === 'conflict' && (field === undefined || detail['field'] === field));
  return last === undefined
    ? none
    : `${none} At ${timeInWords(last.at)}, ${ledgerInWords(last)}. Change the value on either side if you want another one.`;
}

const conflictsOf = ({ store, routes }: View, link: LinkId) =>
  redactionOf(store, routes).isHidden(link)
    ? []
    : store.findings.ofLink(link).conflicts.filter(({ kept }) => kept === null);
