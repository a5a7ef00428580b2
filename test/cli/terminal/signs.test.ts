/** Signs that move the cursor, or turn a line around, reach neither a terminal nor the words of a copy. */

import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTerminal, visible } from '../../../src/cli/terminal.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

const signs = ['\u001b', '\u0007', '\r', '\u009b', '\u2028', '\u202e', '\u2066', '\u200f', '\u061c', '\u{e0041}'];

test.each(signs.map((sign) => [`U+${sign.codePointAt(0)?.toString(16)}`, sign]))('%s is not visible', (_name, sign) => {
  expect(visible(`a${sign}b`)).toMatch(/^a ?b$/u);
});

test('JSON at a terminal has them as escapes, and the same value', () => {
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const value = { title: signs.join('x'), list: signs };
  openTerminal({ stdout, stderr: stdout, signal: new AbortController().signal }).json(value);
  expect(text).not.toMatch(/[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/u);
  expect(JSON.parse(text)).toEqual(value);
});

describe('commands', () => {
  let house: House;
  beforeEach(async () => {
    house = await openHouse((tracker) => {
      tracker.as('alice').file({ summary: 'ok\u202egnp.exe\u2066 \u009b31m', description: 'Always.' });
    });
    house.configure((config) => {
      config.routes[0].conflicts = 'ask';
    });
    for (const _time of [1, 2]) await house.run('once');
    house.tracker.as('alice').change(1, { summary: 'T\u202e2' });
    house.github.as('mona').edit('acme/widget', 1, { title: 'G\u202e2' });
  });
  afterEach(() => house.close());

  test('show no such sign of a title', async () => {
    for (const args of [
      ['plan'],
      ['once'],
      ['status'],
      ['explain', 'bug', '1'],
      ['decide'],
      ['verify'],
      ['decide', '--json'],
    ]) {
      const { out, err } = await house.run(...args);
      expect([args, `${out}${err}`]).toEqual([
        args,
        expect.not.stringMatching(/[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/u),
      ]);
    }
  });
});
