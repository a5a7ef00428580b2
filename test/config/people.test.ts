import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import { doubled, readPeople } from '../../src/config/people.ts';
import { peopleBook } from '../../src/config/people-book.ts';
import { routesOf } from '../../src/config/routes.ts';
import { changed, env, problemsOf, smallest } from './sample.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-people-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const pairsOf = (text: string, file = 'people.csv') =>
  readPeople(text, file).pairs.map(({ tracker, github, line }) => [tracker, github, line]);
const saidOf = (text: string, file = 'people.csv') => {
  const { pairs, problems } = readPeople(text, file);
  return [...problems, ...doubled(pairs)].map(({ line, message }) => `${line} ${message}`);
};

describe('a file of people', () => {
  test.each([
    [
      'with a heading, comments, quotes and further columns',
      'tracker,github,name\n# ours\n"bob@x", mona ,"Bob, B."\r\n',
      [['bob@x', 'mona', 3]],
    ],
    ['with people who are still unknown', '\uFEFFtracker,github\nbob@x,\ncarol@x,cara\n', [['carol@x', 'cara', 3]]],
    ['of nobody', '', []],
  ])('in CSV %s', (_, text, pairs) => {
    expect(pairsOf(text)).toEqual(pairs);
    expect(saidOf(text)).toEqual([]);
  });

  test('in YAML has a login for each login', () => {
    expect(pairsOf('# ours\nbob@x: mona\ncarol@x:\n7: seven\n', 'people.yaml')).toEqual([
      ['bob@x', 'mona', 2],
      ['7', 'seven', 4],
    ]);
  });

  test.each([
    ['a line of one word', 'people.csv', 'bob@x\n', ['1 each line needs a tracker login, a comma and a GitHub login']],
    [
      'an address for a login',
      'people.csv',
      'a@x,mona@y\n',
      ['1 "mona@y" is not a GitHub login, which has only letters, digits and hyphens'],
    ],
    ['a login with a space', 'people.csv', 'a b@x,mona\n', ['1 the tracker login "a b@x" is empty or has spaces']],
    [
      'a tracker login twice',
      'people.csv',
      'a@x,m\nA@x,n\n',
      ['2 The tracker login A@x is already in line 1 of people.csv'],
    ],
    [
      'a GitHub login twice',
      'people.csv',
      'a@x,m\nb@x,M\n',
      ['2 The GitHub login M is already in line 1 of people.csv'],
    ],
    [
      'a list',
      'people.yml',
      '- bob\n',
      ['1 must be a mapping, with a line such as bob@example.org: mona for each person'],
    ],
    [
      'a list of logins for one',
      'people.yml',
      'a@x: [m, n]\n',
      ['1 must have one GitHub login for each tracker login'],
    ],
    ['what is no YAML', 'people.yml', 'a@x: "m\n', ['2 is not valid YAML here']],
  ])('is refused with %s', (_, file, text, problems) => {
    expect(saidOf(text, file)).toEqual(problems);
  });
});

describe('the configuration', () => {
  const withPeople = (...lines: string[]) => changed('routes:', [...lines, 'routes:'].join('\n'));

  test('maps people for all routes, which then mirror assignees', () => {
    const config = parseConfig(
      withPeople('people: { bob@x: mona }').replace('  apiKey', '  nobody: none@x\n  apiKey'),
      'bridge.yaml',
      env,
    );
    const [route] = routesOf(config);
    expect(route).toMatchObject({ assignee: true, milestones: false, mentions: false });
    expect([...(route?.people.github ?? [])]).toEqual([['bob@x', 'mona']]);
    expect(route?.people.nobody).toEqual(['none@x']);
  });

  test('without people leaves assignees alone', () => {
    expect(routesOf(parseConfig(smallest, 'bridge.yaml', env))[0]?.assignee).toBe(false);
  });

  test('finds the file beside itself, and reports its problems', () => {
    writeFileSync(join(folder, 'bad.csv'), 'bob@x,mona\nbob@x,hubot\n');
    const problems = () => parseConfig(withPeople('peopleFile: bad.csv'), join(folder, 'bridge.yaml'), env);
    expect(problems).toThrow(`${join(folder, 'bad.csv')}:2:1  The tracker login bob@x is already in line 1`);
    expect(() => parseConfig(withPeople('peopleFile: none.csv'), join(folder, 'bridge.yaml'), env)).toThrow(
      'cannot read the file of people (ENOENT)',
    );
  });

  test('is refused if it maps the same login twice', () => {
    expect(problemsOf(withPeople('people:', '  bob@x: mona', '  carol@x: Mona'))).toEqual([
      '9:1 The GitHub login Mona is already in line 8 of bridge.yaml',
    ]);
  });
});

describe('the book of people', () => {
  test('reloads a changed file, and keeps the last valid map while the file is broken', () => {
    const file = join(folder, 'people.csv');
    const said: string[] = [];
    const write = (text: string, at: number) => {
      writeFileSync(file, text);
      utimesSync(file, at, at);
    };
    write('bob@x,mona\n', 1);
    const book = peopleBook({ pairs: [], nobody: [], file }, (message) => said.push(message));
    expect([...book.current().github]).toEqual([['bob@x', 'mona']]);
    write('bob@x,hubo\n', 2);
    expect([...book.current().github]).toEqual([['bob@x', 'hubo']]);
    write('bob@x,m n\n', 3);
    expect([...book.current().github]).toEqual([['bob@x', 'hubo']]);
    expect([...book.current().github]).toEqual([['bob@x', 'hubo']]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`${file}:1  "m n" is not a GitHub login`);
    rmSync(file);
    expect([...book.current().github]).toEqual([['bob@x', 'hubo']]);
    expect(said).toHaveLength(2);
    write('bob@x,octo\n', 4);
    expect([...book.current().github]).toEqual([['bob@x', 'octo']]);
  });
});
