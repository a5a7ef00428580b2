/** The folder in which a sandbox tracker keeps its data cannot be used; the message tells the operator why and what to do. */
export class DataUnusable extends Error {
  override readonly name = 'DataUnusable';
}

/** Does something to the file system; when that fails, says what it was, and why. */
export function saying<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && 'syscall' in cause)) throw cause;
    const why = reasons[String(cause.code)] ?? cause.message;
    throw new DataUnusable(`The sandbox cannot ${what}: ${why}. Put that right, or give it another folder with --data.`, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow any more',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'there is a file of that name',
};
