import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { Route } from '../../model/route.ts';
import type { LedgerLine, Store } from '../../model/store.ts';
import { traitsOf } from '../operations/operations.ts';
import { isRedacted, redactedLine, redactedLink } from './redact.ts';

/** Redacts the contents of the state. Public items pass unchanged. */
export interface Redaction {
  link(link: Link): Link;
  line(line: LedgerLine): LedgerLine;
  operation(operation: Operation): Operation;
  /** Whether reports about the bug are redacted. */
  isHidden(link: LinkId): boolean;
}

export function redactionOf(store: Pick<Store, 'links' | 'attachmentLinks'>, routes: readonly Route[]): Redaction {
  const routeOf = ({ route }: Link) => routes.find(({ name }) => name === route);
  const isHidden = (id: LinkId) => {
    const link = store.links.byId(id);
    return link !== null && isRedacted(routeOf(link), link);
  };
  const namesHiddenFile = (link: LinkId, name: unknown): boolean =>
    store.attachmentLinks.ofLink(link).some((file) => file.state === 'withdrawn' && file.name === name);
  return {
    isHidden,
    link: (link) => (isRedacted(routeOf(link), link) ? redactedLink(link) : link),
    line(line) {
      if (isHidden(line.link)) return redactedLine(line);
      return line.kind === 'file' && namesHiddenFile(line.link, line.detail['name']) ? redactedLine(line) : line;
    },
    operation(operation) {
      const isCovered =
        isHidden(operation.link) || (operation.kind === 'file' && namesHiddenFile(operation.link, operation.name));
      return isCovered ? traitsOf(operation).redacted(operation) : operation;
    },
  };
}
