import { expect, test } from 'vitest';
import { whyNotUploadable } from '../../src/rules/attachments/observe.ts';

test.each([
  ['shot.png', 'image/png', 5, null],
  ['Shot.JPEG', 'image/jpeg', 5, null],
  ['film.mov', 'video/quicktime', 99_000_000, null],
  ['drawing.svg', 'image/svg+xml', 5, null],
  ['shot.png', 'image/jpeg', 5, 'neither a picture nor a film'],
  ['shot', 'image/png', 5, 'neither a picture nor a film'],
  ['crash.log', 'text/plain', 5, 'neither a picture nor a film'],
  ['constructor.constructor', 'text/plain', 5, 'neither a picture nor a film'],
  ['report.pdf', 'application/pdf', 5, 'neither a picture nor a film'],
  ['shot.png', 'image/png', 10_000_001, 'larger than 10 MB'],
  ['film.webm', 'video/webm', 100_000_001, 'larger than 100 MB'],
])('%s of type %s with %i bytes: %s', (name, type, size, why) => {
  expect(whyNotUploadable({ name, type }, size)).toBe(why);
});
