import type { Cost } from '../model/lane.ts';
import type { Operation } from '../model/operation.ts';

/** What an operation costs its side. */
export const costOf = ({ kind, on }: Operation): Cost =>
  kind === 'create' || kind === 'comment' || kind === 'remark' || (kind === 'file' && on === 'tracker') ? 'create' : 'edit';
