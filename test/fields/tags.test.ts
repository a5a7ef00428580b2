import { expect, test } from 'vitest';
import { isTag, tagsIn, withoutThumbsUp, withTags } from '../../src/rules/labels/tags.ts';

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

test.each([
  ['github+1:3', ''],
  ['  github+1:3 a', 'a'],
  ['a \t github+1:3  b', 'a  b'],
  ['a github+1:3 github+1:4', 'a'],
  ['agithub+1:3', 'agithub+1:3'],
  ['github+1:3b', 'github+1:3b'],
])('"%s" without the thumbs up', (whiteboard, words) => {
  expect(withoutThumbsUp(whiteboard)).toBe(words);
});

test('a whiteboard of a million spaces is read at once', () => {
  const whiteboard = `a${' '.repeat(1_000_000)}b`;
  expect(withoutThumbsUp(whiteboard)).toBe(whiteboard);
});
