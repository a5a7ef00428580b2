import { afterAll } from 'vitest';
import { undescribed } from '../openapi/undescribed.ts';

afterAll(() => {
  const problems = [...undescribed];
  undescribed.clear();
  if (problems.length > 0) throw new Error(`GitHub describes no such requests or answers:\n${problems.join('\n')}`);
});
