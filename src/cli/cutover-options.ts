import { InvalidArgumentError } from 'commander';

export const cutoverSteps = ['comment', 'close'] as const;
export type CutoverStep = (typeof cutoverSteps)[number];

export interface CutoverOptions {
  readonly config: string;
  readonly route?: string;
  readonly yes?: readonly CutoverStep[];
  readonly undo?: true;
  readonly status?: readonly [status: string, resolution: string];
  readonly despiteDifferences?: true;
  readonly html?: string;
  readonly json?: true;
}

export function stepsIn(text: string): readonly CutoverStep[] {
  const names = text.split(',').map((name) => name.trim());
  const found = cutoverSteps.filter((step) => names.includes(step));
  if (found.length === names.length) return found;
  throw new InvalidArgumentError(`The steps are ${cutoverSteps.join(' and ')}, with a comma between them.`);
}

export function statusIn(text: string): readonly [string, string] {
  const [status = '', resolution = '', ...rest] = text.split('/');
  if (status !== '' && resolution !== '' && rest.length === 0) return [status, resolution];
  throw new InvalidArgumentError('It has to be STATUS/RESOLUTION, such as RESOLVED/MOVED.');
}
