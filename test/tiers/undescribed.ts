import { afterAll, expect } from 'vitest';
import { takeUndescribed } from '../openapi/watch.ts';

/** Tests of the sandbox send what it has to refuse. */
const sendsWrong = /\/test\/sandbox\/github\//u;

afterAll(async () => {
  const problems = await takeUndescribed(sendsWrong.test(expect.getState().testPath ?? ''));
  if (problems.length > 0) throw new Error(`GitHub describes no such requests or answers:\n${problems.join('\n')}`);
});
