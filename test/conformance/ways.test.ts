import { describe, expect, test } from 'vitest';
import { cases } from './suite.ts';
import { lineOf, wayOf, ways } from './ways.ts';

describe('the known ways of versions', () => {
  test.each([
    ['5.0.6', '5.0'],
    ['5.0.4.1+', '5.0'],
    ['5.1.2', '5.3'],
    ['5.2', '5.2'],
    ['5.3.3+', '5.3'],
    ['20200805.1', 'Harmony'],
    ['5.9.1', null],
    ['4.4.13', null],
    ['undefined', null],
  ])('%s behaves as %s', (version, line) => {
    expect(lineOf(version)).toBe(line);
  });

  test('name cases that there are', () => {
    const names = cases.map(({ section, name }) => `${section} ${name}`);
    const starts = ways.flatMap((way) => way.cases ?? []);
    expect(starts.filter((start) => !names.some((name) => name.startsWith(start)))).toEqual([]);
  });

  test('say what a version does, and where it was seen', () => {
    expect(
      ways.filter(({ says, source, lines }) => says.length < 20 || source.length < 15 || lines.length === 0),
    ).toEqual([]);
  });

  const status51 = { expected: '404 with code 51', got: '400 with code 51 "There is no version."' };

  test('explain a difference of their version', () => {
    expect(wayOf('Harmony', '4.4 version that is not valid is refused', status51)?.says).toBe(
      'answer code 51 with status 400',
    );
  });

  test.each(['5.0', '5.2', '5.3', null] as const)('explain nothing of another version (%s)', (line) => {
    expect(wayOf(line, '4.4 version that is not valid is refused', status51)).toBeNull();
  });

  test('explain no other difference in the same case', () => {
    const lost = { expected: 'Ünïcødé 🦊', got: '' };
    expect(wayOf('5.3', '0 signs of all languages come back as they were sent, escaped in JSON', lost)).toBeNull();
  });
});
