import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { endingOf } from '../../src/cli/exit-code.ts';
import { adviceOn, stateTrouble } from '../../src/store/trouble.ts';

/** What the database itself throws when there is no room for what it is told to keep. */
function fullDisk(): unknown {
  const db = new Database(':memory:');
  db.exec('create table texts (text text)');
  db.pragma('max_page_count = 4');
  try {
    db.prepare('insert into texts values (?)').run('x'.repeat(100_000));
    return null;
  } catch (error) {
    return error;
  } finally {
    db.close();
  }
}

test('a disk that is full is for the operator to mend, and no fault of the program', () => {
  const { code, message } = endingOf(fullDisk());
  expect(code).toBe(2);
  expect(message).toMatch(/SQLITE_FULL.*free some space.*repeats nothing/u);
  expect(message).not.toContain('bug in bugferry');
});

test('a disk that refuses another file is for the operator to mend, too; a connection that is refused is not the disk', () => {
  const refused = (place: string): unknown => {
    try {
      return writeFileSync(place, 'x');
    } catch (error) {
      return error;
    }
  };
  expect(endingOf(refused('/dev/full'))).toEqual({
    code: 2,
    message: expect.stringMatching(/ENOSPC.*free some space/u),
  });
  const noSocket = Object.assign(new Error('connect EACCES 10.0.0.1'), { code: 'EACCES', syscall: 'connect' });
  expect(stateTrouble(noSocket)).toBeNull();
});

test.each([
  ['SQLITE_FULL', /free some space/],
  ['SQLITE_IOERR_SHMSIZE', /free some space/],
  ['ENOSPC', /free some space/],
  ['SQLITE_READONLY_DBMOVED', /writable.*this user may/],
  ['SQLITE_CANTOPEN', /writable.*this user may/],
  ['EROFS', /writable.*this user may/],
  ['SQLITE_IOERR_GETTEMPPATH', /folder for temporary files.*report.*SQLITE_TMPDIR/],
  ['SQLITE_IOERR_FSYNC', /system log/],
  ['SQLITE_IOERR', /system log/],
  ['SQLITE_CORRUPT_INDEX', /Restore a backup/],
])('%s has advice of its own', (code, words) => {
  expect(adviceOn(code)).toMatch(words);
  if (code.startsWith('SQLITE_IOERR_') && code !== 'SQLITE_IOERR_SHMSIZE')
    expect(adviceOn(code)).not.toMatch(/room|this user may/);
});

test('a mistake in a statement is a fault of the program', () => {
  const db = new Database(':memory:');
  const mistake = () => db.exec('select * from nothing');
  expect(mistake).toThrow();
  try {
    mistake();
  } catch (error) {
    expect(stateTrouble(error)).toBeNull();
  }
  db.close();
  expect(endingOf(new Error('anything')).message).toContain('bug in bugferry');
});
