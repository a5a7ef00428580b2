import { expect, test } from 'vitest';
import { networkFileSystemOf } from '../../src/store/file-access.ts';

/** Locks on these file systems do not hold, or not always. Types as `statfs` reports them. */
test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 | 0, 'CIFS'],
  [0xfe534d42 | 0, 'SMB'],
  [0x01021997, '9P'],
  [0xef53, null],
  [0x9123683e, null],
  [0x794c7630, null],
])('the type %s is %s', (type, name) => {
  expect(networkFileSystemOf('/somewhere/state.db', () => type)).toBe(name);
});

test('a folder that cannot be asked is not complained about', () => {
  const fails = (): number => {
    throw new Error('ENOENT');
  };
  expect(networkFileSystemOf('/nowhere/state.db', fails)).toBeNull();
  expect(networkFileSystemOf('state.db')).toSatisfy((found) => found === null || typeof found === 'string');
});
