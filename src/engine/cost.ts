import type { Cost } from '../model/lane.ts';
import type { Operation } from '../model/operation.ts';

/** What an operation costs its side. */
export const costOf = ({ kind }: Operation): Cost => (kind === 'create' || kind === 'comment' ? 'create' : 'edit');
