import { expect, test } from 'vitest';
import { mutantsOf, mutated, told } from './mutants.ts';

const changed = (code: string): readonly string[] =>
  mutantsOf('a.ts', code).map((mutant) => mutated(code, mutant).replace(/\s+/gu, ' '));

test.each([
  ['a comparison', 'f(a === b);', ['f( a !== b );']],
  ['both parts of a condition', 'f(a && b);', ['f( a || b );', 'f( a );', 'f( b );']],
  [
    'no part of which the rest is no code',
    'f(a ?? (b || c));',
    ['f( a );', 'f( (b || c) );', 'f(a ?? ( b && c ));', 'f(a ?? ( b ));', 'f(a ?? ( c ));'],
  ],
  ['a default', 'f(a ?? b);', ['f( a );', 'f( b );']],
  ['what an if asks', 'if (a) f();', ['if ( true ) f();', 'if ( false ) f();']],
  ['a choice', 'f(a ? b : c);', ['f( b );', 'f( c );']],
  ['a negation', 'f(!a);', ['f( a );']],
  ['a filter', 'a.filter(f);', [' a ;']],
  ['a question to a list', 'a.some(f);', [' a.every(f) ;']],
  ['numbers and truth', 'f(1, true);', ['f( 2 , true);', 'f(1, false );']],
  ['what is spread', 'f({ ...a }, [...b]);', ['f({ ...{} }, [...b]);', 'f({ ...a }, [ ...[] ]);']],
  ['no type, no import, no name, and no words for people', "import 'a'; type T = 'b'; f({ c: 'two words' });", []],
])('mutants change %s', (_what, code, mutants) => {
  expect(changed(code)).toEqual(mutants);
});

test('a mutant is told with its line, what stood there, and what stands there now', () => {
  const code = 'f();\nf(a === b);\n';
  const [mutant] = mutantsOf('a.ts', code);
  expect(mutant && told('a.ts', code, mutant)).toBe('a.ts:2  a === b  ->  a !== b');
});
