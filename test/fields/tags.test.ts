import { expect, test } from 'vitest';
import { isTag, tagsIn, withTags } from '../../src/fields/tags.ts';

test.each([
  ['', []],
  ['no tag at all', []],
  ['[easy]', ['easy']],
  ['[ spaced ] and [two words]', ['spaced', 'two words']],
  ['see [b] [a] [b]', ['a', 'b']],
  ['[Easy] [easy]', ['Easy']],
  ['[] [ ] [unfinished', []],
  ['[[nested]]', ['nested']],
])('the tags in "%s"', (whiteboard, tags) => {
  expect(tagsIn(whiteboard)).toEqual(tags);
});

test.each([
  ['', ['easy'], '[easy]'],
  ['later', ['easy'], 'later [easy]'],
  ['[easy] later [hard] ok', ['hard'], 'later [hard] ok'],
  ['[easy] later [hard] ok', [], 'later ok'],
  ['[Easy] [easy] x', [], 'x'],
  ['[EASY] x', ['easy'], '[EASY] x'],
  ['  [b]   text  [ ]', ['a', 'b'], '[b]   text  [ ] [a]'],
])('the whiteboard "%s" with exactly %j', (whiteboard, wanted, result) => {
  expect(withTags(whiteboard, wanted)).toBe(result);
  expect(tagsIn(result).map((tag) => tag.toLowerCase())).toEqual(wanted);
});

test.each([
  ['easy', true],
  ['two words', true],
  ['a]b', false],
  [' spaced', false],
  ['', false],
])('"%s" as a tag', (name, is) => {
  expect(isTag(name)).toBe(is);
});
