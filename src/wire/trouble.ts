/** What every command needs for its output, whatever it does; so nothing here leads to the bridge. */

import type { Config, Settings } from '../config/config.ts';
import { ListenError } from '../http/listen-error.ts';
import { scrubber } from '../runtime/scrub.ts';
import { DataUnusable } from '../sandbox/journal/kept-rows.ts';
import { StateLocked, StateUnusable, stateTrouble } from '../store/trouble.ts';

/**
 * Whether the state file, the data of a sandbox or the port of the HTTP server caused the error; its message then says
 * what the operator can do.
 */
export const isStateProblem = (error: unknown): error is Error =>
  [StateLocked, StateUnusable, DataUnusable, ListenError].some((kind) => error instanceof kind);

/** The trouble with the state file during work, for the operator; null for other errors. */
export const stateTroubleIn = (error: unknown): string | null => stateTrouble(error);

/** Removes secrets from output: those of the configuration, and anything that looks like one. */
export const scrubberFor = (config: Config | null): ((text: string) => string) =>
  scrubber(config === null ? [] : config.secrets);

/** The same with those that a command has which needs none. */
export const scrubberOf = ({ secrets }: Settings): ((text: string) => string) => scrubber(secrets);
