import { InvalidArgumentError } from 'commander';
import type { Writer } from '../core/writer.ts';
import type { Bridge, BridgeRoute } from '../wire.ts';
import type { CommonOptions } from './desk.ts';
import { UsageError } from './failure.ts';

export interface MigrateOptions extends CommonOptions {
  readonly route?: string;
  readonly dryRun?: true;
  readonly preview: string;
  readonly html?: string;
  /** Whether both sides are compared afterwards. */
  readonly verify: boolean;
  readonly samples: number;
  readonly limit?: number;
  /** Absent takes what the rights of our account allow. */
  readonly writer?: Writer;
  /** The repository of a rehearsal, as owner/name. */
  readonly rehearse?: string;
  readonly numbers: 'free' | 'keep';
}

/** The routes that were asked for. */
export function chosenRoutes({ routes }: Bridge, name: string | undefined): readonly BridgeRoute[] {
  const found = name === undefined ? routes : routes.filter((route) => route.name === name);
  if (found.length > 0) return found;
  throw new UsageError(`There is no route ${name}. The configuration has ${routes.map((route) => route.name).join(', ')}.`);
}

/** A whole number from 1. */
export function countIn(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It has to be a whole number from 1.');
}
