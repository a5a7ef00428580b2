import { expect, test } from 'vitest';
import { namedIn, sameName } from '../../src/model/named.ts';

const bug = (id: number) => ({ kind: 'bug', id, about: `Bug ${id}` });
const issue = (repo: string, number: number) => ({ kind: 'issue', repo, number, about: `${repo}#${number}` });

test.each<[string, unknown]>([
  ['12', bug(12)],
  ['#12', bug(12)],
  ['bug 12', bug(12)],
  ['  Bug #12 ', bug(12)],
  ['bug12', bug(12)],
  ['https://bugs.example.org/show_bug.cgi?id=12', bug(12)],
  ['https://bugs.example.org/bugzilla/show_bug.cgi?ctype=xml&id=12#c3', bug(12)],
  ['acme/widget#5', issue('acme/widget', 5)],
  ['issue acme/widget#5', issue('acme/widget', 5)],
  ['https://github.com/acme/widget/issues/5', issue('acme/widget', 5)],
  ['https://github.com/acme/widget/issues/5#issuecomment-7', issue('acme/widget', 5)],
  ['https://git.example.org/acme/widget/pull/5', issue('acme/widget', 5)],
  ['', null],
  ['bug', null],
  ['bug twelve', null],
  ['acme#5', null],
  ['a/b/c#5', null],
  ['12345678901234567890', null],
])('"%s" names what it says', (text, target) => {
  expect(namedIn(text)).toEqual(target);
});

test('names of repositories are the same whatever their case', () => {
  expect([sameName('ACME/Widget', 'acme/widget'), sameName('acme/widget', 'acme/widgets')]).toEqual([true, false]);
});
