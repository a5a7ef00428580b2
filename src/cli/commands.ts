import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

interface Loadable {
  /** Its line in the help of the program. */
  readonly summary: string;
  /** Loads the function that adds the command, with its options and examples, to a program. */
  readonly load: () => Promise<(program: Command, context: CommandContext) => void>;
}

/**
 * All commands, in the order of the help. Only the command that is named gets loaded, because most of them import the
 * whole bridge.
 */
export const commands: Readonly<Record<string, Loadable>> = {
  init: {
    summary: 'answer a few questions to write a configuration, and check it',
    load: async () => (await import('./init/init.ts')).addInit,
  },
  run: {
    summary: 'keep both sides in step until stopped',
    load: async () => (await import('./run/run.ts')).addRun,
  },
  once: {
    summary: 'run one cycle of every route, then exit',
    load: async () => (await import('./run/once.ts')).addOnce,
  },
  plan: {
    summary: 'show what a cycle would do now; writes nothing',
    load: async () => (await import('./show/plan.ts')).addPlan,
  },
  status: {
    summary: 'show whether both sides are in step, and what blocks them',
    load: async () => (await import('./show/status.ts')).addStatus,
  },
  explain: {
    summary: 'show the full history of one bug or issue, or why it is not mirrored',
    load: async () => (await import('./show/explain.ts')).addExplain,
  },
  migrate: {
    summary: 'copy a whole tracker to GitHub once; you can stop and resume it at any time',
    load: async () => (await import('./migrate/migrate.ts')).addMigrate,
  },
  cutover: {
    summary: 'retire the tracker: mirror the rest, compare, and point bugs to their issues',
    load: async () => (await import('./cutover/cutover.ts')).addCutover,
  },
  redirects: {
    summary: "redirects from bug pages to their issues, for the tracker's web server",
    load: async () => (await import('./cutover/redirects.ts')).addRedirects,
  },
  archive: {
    summary: 'write the public part of the tracker into a folder of web pages that outlives it',
    load: async () => (await import('./archive/archive.ts')).addArchive,
  },
  verify: {
    summary: 'read both sides again and compare every object; writes nothing',
    load: async () => (await import('./verify/verify.ts')).addVerify,
  },
  audit: {
    summary: 'list tracker content on GitHub, why it is allowed there, and what was withdrawn',
    load: async () => (await import('./show/audit.ts')).addAudit,
  },
  retry: {
    summary: 'retry parked and waiting operations now',
    load: async () => (await import('./control/retry.ts')).addRetry,
  },
  resync: {
    summary: 'read one pair again from both sides, and carry over the differences',
    load: async () => (await import('./control/resync.ts')).addResync,
  },
  decide: {
    summary: 'list conflicts, and decide which side wins',
    load: async () => (await import('./control/decide.ts')).addDecide,
  },
  pair: {
    summary: 'make an existing bug and an existing issue a pair',
    load: async () => (await import('./control/pair.ts')).addPair,
  },
  pairs: {
    summary: 'make each bug and issue of a CSV file a pair',
    load: async () => (await import('./control/pairs.ts')).addPairs,
  },
  pause: {
    summary: 'pause a route: bugferry reads it, but mirrors nothing',
    load: async () => (await import('./control/pause.ts')).addPause,
  },
  resume: {
    summary: 'resume a paused route',
    load: async () => (await import('./control/resume.ts')).addResume,
  },
  state: {
    summary: 'back up, restore or verify the state file',
    load: async () => (await import('./control/state.ts')).addState,
  },
  adopt: {
    summary: 'rebuild a lost state file from both sides; writes to neither',
    load: async () => (await import('./control/adopt.ts')).addAdopt,
  },
  people: {
    summary: 'list participants and their GitHub logins',
    load: async () => (await import('./show/people.ts')).addPeople,
  },
  check: {
    summary: 'test a configuration; writes nothing',
    load: async () => (await import('./check/check.ts')).addCheck,
  },
  rehearse: {
    summary: 'test the assumptions of the bridge about GitHub, in a scratch repository',
    load: async () => (await import('./rehearse/rehearse.ts')).addRehearse,
  },
  health: {
    summary: 'check the health of the running bridge',
    load: async () => (await import('./show/health.ts')).addHealth,
  },
  demo: {
    summary: 'watch the bridge at work between two servers in memory',
    load: async () => (await import('./demo/demo.ts')).addDemo,
  },
  sandbox: {
    summary: 'run a tracker to develop against',
    load: async () => (await import('./demo/sandbox.ts')).addSandbox,
  },
  completion: {
    summary: 'print a completion script for your shell',
    load: async () => (await import('./completion.ts')).addCompletion,
  },
};
