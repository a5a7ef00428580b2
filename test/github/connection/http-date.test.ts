import { afterEach, expect, test, vi } from 'vitest';
import { httpDate } from '../../../src/model/answers/http-date.ts';

const at = Date.UTC(1994, 10, 6, 8, 49, 37);

afterEach(() => vi.unstubAllEnvs());

test.each(['UTC', 'Asia/Tokyo', 'America/New_York'])('a date of HTTP is in UTC, in each of its forms: %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(httpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(at);
  expect(httpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(at);
  expect(httpDate('Sun Nov  6 08:49:37 1994')).toBe(at);
  expect(httpDate(' Sun, 06 Nov 1994 08:49:37 +0000 ')).toBe(at);
});

test.each(['', '120', '2030', '-30', 'soon', '60s', 'x', 'PT60S'])('"%s" is none', (text) => {
  expect(httpDate(text)).toBeNull();
});
