import { describe, expect, it } from 'vitest';
import { nextPage, nextPath } from '../../src/github/connection/paging.ts';
import type { Repository } from '../../src/github/repository.ts';

const nextOf = (link: string | undefined, root = 'https://api.github.com'): string | null =>
  nextPath({ kind: 'answered', data: [], readAt: 0, headers: link === undefined ? {} : { link } }, new URL(root));

describe('the next page', () => {
  it.each([
    [
      'after the first',
      '<https://api.github.com/repositories/7/issues?page=2>; rel="next", <https://api.github.com/repositories/7/issues?page=9>; rel="last"',
      '/repositories/7/issues?page=2',
    ],
    [
      'in the middle',
      '<https://api.github.com/x?page=1>; rel="prev", <https://api.github.com/x?page=3>; rel="next"',
      '/x?page=3',
    ],
    [
      'by a cursor',
      '<https://api.github.com/x?after=Y3Vy%3D%3D&since=2026-01-01T00%3A00%3A00Z>; rel="next"',
      '/x?after=Y3Vy%3D%3D&since=2026-01-01T00%3A00%3A00Z',
    ],
    [
      'on the last',
      '<https://api.github.com/x?page=1>; rel="first", <https://api.github.com/x?page=2>; rel="prev"',
      null,
    ],
    ['of a list of one page', undefined, null],
    ['of which another one speaks', '<https://api.github.com/x?page=1>; rel="nextcloud"', null],
  ])('%s is found', (_name, link, expected) => {
    expect(nextOf(link)).toBe(expected);
  });

  it('lies below the root of an Enterprise Server', () => {
    expect(
      nextOf('<https://ghe.example/api/v3/repositories/7/issues?page=2>; rel="next"', 'https://ghe.example/api/v3/'),
    ).toBe('/repositories/7/issues?page=2');
  });

  it.each([
    ['another host', '<https://evil.example/x?page=2>; rel="next"', 'https://api.github.com', '/x?page=2'],
    [
      'another name of the same host',
      '<http://localhost:8080/x?page=2>; rel="next"',
      'http://127.0.0.1:9090',
      '/x?page=2',
    ],
    ['plain HTTP', '<http://api.github.com/x?page=2>; rel="next"', 'https://api.github.com', '/x?page=2'],
    [
      'the inside of a proxy',
      '<http://10.0.0.7/api/v3/x?page=2>; rel="next"',
      'https://ghe.example/api/v3',
      '/x?page=2',
    ],
    [
      'a proxy that adds its own path',
      '<http://10.0.0.7/x?page=2>; rel="next"',
      'https://ghe.example/api/v3',
      '/x?page=2',
    ],
    ['no host at all', '</x?page=2>; rel="next"', 'https://api.github.com', '/x?page=2'],
  ])('is asked of the configured root when the header names %s', (_name, link, root, expected) => {
    expect(nextOf(link, root)).toBe(expected);
  });
});

describe('a list that does not end', () => {
  const after = (path: string, next: string): unknown => {
    const headers = { link: `<https://api.github.com/repositories/7${next}>; rel="next"` };
    const repository = { client: { root: new URL('https://api.github.com') }, pageSize: 100 } as Repository;
    return nextPage(
      repository,
      { kind: 'answered', data: [], readAt: 0, headers },
      { path: `/repos/acme/widget${path}`, rows: 100 },
    );
  };

  it.each([
    ['the first page follows itself', '/issues?state=all', '/issues?state=all&page=1'],
    ['a page follows itself', '/issues?state=all&page=3', '/issues?page=3&state=all'],
    ['an earlier page follows', '/issues?page=3', '/issues?page=2'],
    ['a cursor leads to itself', '/issues?after=Y3Vy&state=all', '/issues?after=Y3Vy&state=all'],
  ])('is refused where %s', (_name, path, next) => {
    expect(() => after(path, next)).toThrow('does not end');
  });

  it.each([
    ['the second page', '/issues?state=all', '/issues?state=all&page=2'],
    ['a later page', '/issues?page=9', '/issues?page=10'],
    ['another cursor', '/issues?after=Y3Vy', '/issues?after=Y3Vz'],
    ['a cursor', '/issues?state=all', '/issues?state=all&after=Y3Vz'],
  ])('is not one that goes on with %s', (_name, path, next) => {
    expect(after(path, next)).toMatchObject({ isGuess: false });
  });
});
