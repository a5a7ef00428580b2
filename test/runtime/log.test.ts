import { describe, expect, test } from 'vitest';
import { createLog, type Log, type LogLevel } from '../../src/runtime/log.ts';

const secret = 'k3y"with\\odd/characters';

function written(work: (log: Log) => void, options: { isTerminal?: boolean; level?: LogLevel } = {}): string {
  let output = '';
  const log = createLog({
    level: options.level ?? 'info',
    isTerminal: options.isTerminal ?? false,
    secrets: [secret, 'plain-api-key'],
    write: (line) => {
      output += line;
    },
  });
  work(log);
  return output;
}

const withoutTime = (lines: string): string => lines.replace(/^\d\d:\d\d:\d\d /gm, '');

describe('no line shows a secret', () => {
  const cause = new Error(`GET https://bugs.example.org/rest/bug?api_key=plain-api-key failed`);
  const places: { readonly where: string; readonly work: (log: Log) => void }[] = [
    { where: 'a message', work: (log) => log.info('the key is plain-api-key') },
    { where: 'a field', work: (log) => log.info({ key: 'plain-api-key' }, 'asked') },
    {
      where: 'a nested field',
      work: (log) => log.info({ request: { headers: [{ 'x-key': 'plain-api-key' }] } }, 'asked'),
    },
    { where: 'an error', work: (log) => log.error(cause) },
    {
      where: "an error's cause",
      work: (log) => log.error({ err: new Error('the cycle failed', { cause }) }, 'stopped'),
    },
    { where: 'a child log', work: (log) => log.child({ route: 'plain-api-key' }).info('polled') },
    { where: 'a field that JSON escapes', work: (log) => log.info({ key: secret }, 'asked') },
    { where: 'a URL', work: (log) => log.info(`https://bugs.example.org/?k=${encodeURIComponent(secret)}`) },
  ];
  const forms = [secret, 'plain-api-key', JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];

  test.each(places.flatMap((place) => [false, true].map((isTerminal) => ({ ...place, isTerminal }))))(
    'in $where, on a terminal: $isTerminal',
    ({ work, isTerminal }) => {
      const lines = written(work, { isTerminal });
      expect(lines).toContain('[secret]');
      for (const form of forms) expect(lines).not.toContain(form);
    },
  );
});

test('off a terminal every line is JSON with level, time and message', () => {
  const line = written((log) => log.info({ route: 'widget', token: 'unknown to us' }, 'polled'));
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    route: 'widget',
    token: '[secret]',
    msg: 'polled',
  });
});

test('on a terminal a record is a line', () => {
  const line = written((log) => log.warn({ route: 'widget', about: 'bug 12', count: 3 }, 'two sides differ'), {
    isTerminal: true,
  });
  expect(line).toMatch(/^\d\d:\d\d:\d\d /);
  expect(withoutTime(line)).toBe('warn  two sides differ route=widget about="bug 12" count=3\n');
});

test('on a terminal an error shows what happened first and its stack below', () => {
  const line = written((log) => log.error({ err: new Error('no such table') }, 'the database is broken'), {
    isTerminal: true,
  });
  const [first, second] = withoutTime(line).split('\n');
  expect(first).toBe('error the database is broken: no such table');
  expect(second).toMatch(/^ {4}at /);
});

test('on a terminal an error alone is not said twice', () => {
  const line = written((log) => log.error(new Error('no such table')), { isTerminal: true });
  expect(withoutTime(line).split('\n')[0]).toBe('error no such table');
});

test('text from outside cannot control the terminal', () => {
  const title = 'red \u001b[31m and \u009b31m\r\nnew line';
  const line = written((log) => log.info({ title }, title), { isTerminal: true });
  expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
  expect(line).toContain('red \\x1b[31m and \\x9b31m\\x0d | new line');
});

test('what is below the level is not written', () => {
  const work = (log: Log) => {
    log.debug('detail');
    log.info('news');
    log.error('trouble');
  };
  expect(written(work, { level: 'error', isTerminal: true })).toMatch(/^\S+ error trouble\n$/);
  expect(written(work, { level: 'silent' })).toBe('');
});
