import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { whyRefused } from '../../src/rules/privacy/gate.ts';
import { widgetRoute } from '../support/routes.ts';

const refusing: Route = { ...widgetRoute, privateRepository: 'refuse' };

const open = { isPrivate: false, isServed: true };

test.each<[string, Partial<Route>, Parameters<typeof whyRefused>[1], RegExp | null]>([
  ['a public repository and a tracker that everybody reads', { visibilityCheck: 'anonymous' }, open, null],
  ['a private repository that writes to the tracker', {}, { ...open, isPrivate: true }, /private: mirror/u],
  ['one that is meant to', { privateRepository: 'mirror' }, { ...open, isPrivate: true }, null],
  ['one that only reads the tracker', { direction: 'to-github' }, { ...open, isPrivate: true }, null],
  ['a repository of which GitHub does not tell', {}, { ...open, isPrivate: null }, null],
  [
    'a tracker that shows anonymous readers nothing',
    { visibilityCheck: 'anonymous' },
    { ...open, isServed: false },
    /visibilityCheck: none/u,
  ],
  ['the same without a visibility check', { visibilityCheck: 'none' }, { ...open, isServed: false }, null],
  [
    'the same where nothing is published',
    { visibilityCheck: 'anonymous', direction: 'to-tracker' },
    { ...open, isServed: false },
    null,
  ],
])('%s', (_what, change, audience, words) => {
  const why = whyRefused({ ...refusing, ...change }, audience);
  if (words === null) expect(why).toBeNull();
  else expect(why).toMatch(words);
});
