/** One of the two places that are kept in step. */
export type Side = 'tracker' | 'github';

export const sides = ['tracker', 'github'] as const satisfies readonly Side[];

export const otherSide = (side: Side): Side => (side === 'tracker' ? 'github' : 'tracker');
