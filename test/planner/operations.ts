import { attachmentLinkId, commentLinkId, linkId } from '../../src/model/ids.ts';
import type { Operation, Plan } from '../../src/model/plan/operation.ts';

/** An operation of which only the place in a plan matters. */
export function operationOn(link: number, kind: Operation['kind'], name = ''): Operation {
  const place = {
    key: `${link}:github:${kind}${name}`,
    link: linkId(link),
    about: `bug ${link}`,
    on: 'github' as const,
  };
  const none = { target: {}, source: {} };
  switch (kind) {
    case 'create':
      return { ...place, ...none, kind, commentLink: null, parts: 1, draft: { title: 'Crash', body: '', labels: [] } };
    case 'update':
      return { ...place, ...none, kind, duplicateOf: null, via: [], replaces: {}, overruled: [] };
    case 'comment':
      return { ...place, kind, commentLink: commentLinkId(link), digest: '', tells: 'copy', part: 1, parts: 1 };
    case 'rewrite':
      return { ...place, kind, commentLink: commentLinkId(link), digest: '', parts: 1, isEdit: true };
    case 'erase':
      return { ...place, kind, commentLink: commentLinkId(link), reason: name };
    case 'minimize':
      return { ...place, kind, commentLink: commentLinkId(link), minimize: 'spam' };
    case 'file':
      return { ...place, kind, attachmentLink: attachmentLinkId(link), name, act: 'store', path: name };
    case 'lock':
      return { ...place, kind, act: 'lock' };
    case 'pull':
      return { ...place, kind, on: 'tracker', pull: 34, tells: 'open' };
    case 'push':
      return { ...place, kind, on: 'tracker', push: 'https://github.com/acme/kettle/commit/abc' };
    case 'remark':
      return { ...place, kind, remark: name, answers: null };
    case 'point':
      return { ...place, kind };
  }
}

export const planOf = (operations: readonly Operation[]): Plan => ({ operations, notes: [], conflicts: [], skips: [] });
