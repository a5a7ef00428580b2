import type { LinkId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Operation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { LedgerLine, Store } from '../model/store.ts';
import { discreetFile, discreetLine, discreetLink, discreetOperation, isDiscreet } from './redact.ts';

/** What may be told, of whatever the state holds. What is public passes as it is. */
export interface Discretion {
  link(link: Link): Link;
  line(line: LedgerLine): LedgerLine;
  operation(operation: Operation): Operation;
  /** Whether the bug is one of which next to nothing is told. */
  isHidden(link: LinkId): boolean;
}

export function discretionOf(store: Pick<Store, 'links' | 'attachmentLinks'>, routes: readonly Route[]): Discretion {
  const routeOf = ({ route }: Link) => routes.find(({ name }) => name === route);
  const isHidden = (id: LinkId) => {
    const link = store.links.byId(id);
    return link !== null && isDiscreet(routeOf(link), link);
  };
  const namesHiddenFile = (link: LinkId, name: unknown): boolean =>
    store.attachmentLinks.ofLink(link).some((file) => file.state === 'withdrawn' && file.name === name);
  return {
    isHidden,
    link: (link) => (isDiscreet(routeOf(link), link) ? discreetLink(link) : link),
    line(line) {
      if (isHidden(line.link)) return discreetLine(line);
      return line.kind === 'file' && namesHiddenFile(line.link, line.detail['name']) ? discreetLine(line) : line;
    },
    operation(operation) {
      if (isHidden(operation.link)) return discreetOperation(operation);
      return operation.kind === 'file' && namesHiddenFile(operation.link, operation.name) ? discreetFile(operation) : operation;
    },
  };
}
