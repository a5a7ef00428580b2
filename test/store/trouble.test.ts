import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { endingOf } from '../../src/cli/failure.ts';
import { stateTrouble } from '../../src/store/trouble.ts';

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
  expect(message).toMatch(/SQLITE_FULL.*disk has room.*does nothing twice/u);
  expect(message).not.toContain('fault of bugferry');
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
  expect(endingOf(new Error('anything')).message).toContain('fault of bugferry itself');
});
