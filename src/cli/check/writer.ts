import { chosenWriter } from '../../core/writer.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, fine } from './verdict.ts';

/** How `migrate` would make issues. */
export const writer: Topic = { name: 'migrate', fine: 'nothing is written to GitHub on this route, so there is nothing to migrate', find };

function find({ route: { direction }, repository: { name, right } }: Site): readonly Finding[] {
  if (direction === 'to-tracker') return [];
  // A mirror needs no such right, so its absence is nothing to warn of.
  return [fine(chosenWriter(name, right === null ? null : right === 'admin', false).why)];
}
