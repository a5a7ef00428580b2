import { randomInt } from 'node:crypto';

/** Options of a command that runs many seeds; its own stand beside them. */
export const seedOptions = (seeds: number) =>
  ({
    seeds: { type: 'string', default: String(seeds) },
    from: { type: 'string', default: String(randomInt(1, 1_000_000_000)) },
    minutes: { type: 'string', default: 'Infinity' },
    help: { type: 'boolean', default: false },
  }) as const;

/** What they were on the command line. */
interface SeedValues {
  readonly seeds: string;
  readonly from: string;
  readonly minutes: string;
  readonly help: boolean;
}

interface SeedRun {
  readonly seeds: number;
  readonly from: number;
  /** Whether there is time to begin another. */
  readonly isTimeLeft: () => boolean;
}

/**
 * Which seeds to run; a command that is asked for help prints it and ends.
 * @param name as in `npm run NAME`
 * @param things what is made of a seed
 * @param own lines about the other options
 */
export function seedRunOf(values: SeedValues, name: string, things: string, own = ''): SeedRun {
  if (values.help) {
    process.stdout.write(`Usage: npm run ${name} -- [options]

  --seeds N    how many ${things}; ${values.seeds} unless told
  --from S     the first seed; drawn, and printed, unless told
  --minutes N  how long new ${things} begin; until all are done unless told
${own}`);
    process.exit();
  }
  const until = Date.now() + Number(values.minutes) * 60_000;
  return { seeds: Number(values.seeds), from: Number(values.from), isTimeLeft: () => Date.now() < until };
}
