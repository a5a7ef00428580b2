/**
 * The name of a file as an asset of a release. GitHub renames what has other characters than these, or dots in the wrong places; a name
 * that it leaves alone can be found again. The number in front, which the last part of a path begins with, keeps names apart.
 */
export const assetName = (path: string): string =>
  (path.split('/').at(-1) ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/gu, '_')
    .replace(/\.{2,}/gu, '.')
    .replace(/^[._-]+|[._-]+$/gu, '') || 'file';

/** A type that may stand in a header; what a tracker says of a file is anything. */
export const mediaType = (type: string): string => (/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/u.test(type) ? type : 'application/octet-stream');
