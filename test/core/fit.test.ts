import { expect, test } from 'vitest';
import { fit } from '../../src/core/text/fit.ts';

const url = 'https://bugs.example.test/show_bug.cgi?id=1#c2';

test('a text that fits is left as it is', () => {
  expect(fit('short', url)).toBe('short');
  expect(fit('x'.repeat(64_000), url)).toHaveLength(64_000);
});

test.each([
  { name: 'one long line', text: 'x'.repeat(100_000) },
  { name: 'many lines', text: 'a line of a log\n'.repeat(10_000) },
  { name: 'characters beyond the first plane', text: `x${'😀'.repeat(50_000)}` },
  { name: 'escapes', text: `x${'\\*'.repeat(50_000)}` },
  { name: 'entities', text: `xyz${'&lt;'.repeat(30_000)}` },
])('$name: what is too long fits, ends whole, and says where all of it is', ({ text }) => {
  const cut = fit(text, url);
  expect(cut.length).toBeLessThan(65_000);
  expect(cut.length).toBeGreaterThan(60_000);
  expect(cut.endsWith(`\n\n(The text is longer than fits here. All of it: ${url})`)).toBe(true);
  const kept = cut.slice(0, cut.lastIndexOf('\n\n'));
  expect(text.startsWith(kept)).toBe(true);
  expect(kept.isWellFormed()).toBe(true);
  expect(kept).not.toMatch(/(?:\\|&[a-z]*)$/u);
});
