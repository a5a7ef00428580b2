import { beforeEach } from 'vitest';

/**
 * When the last test may begin, in milliseconds since 1970: what would begin later is skipped, and vitest counts it.
 * Without it all tests run.
 */
const until = Number(process.env['TESTS_BEGIN_UNTIL'] ?? Number.POSITIVE_INFINITY);

beforeEach(({ skip }) => skip(Date.now() > until, 'no time was left'));
