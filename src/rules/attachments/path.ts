import type { AttachmentRule } from '../../model/route.ts';
import { withoutAddresses } from '../../text/canonical.ts';

/** Maximum size of a folder in the attachment store: GitHub lists no more files of one, and its programs slow down. */
const folderMax = 1_000;
const nameBytesMax = 120;

/**
 * The path of an attachment's copy in the attachment store: `0-999/12/34-crash.log`. The number makes names unique, and
 * protects names with a meaning for git or a file system (`.git`, `CON`).
 * @param position number of files of the same bug that precede it
 */
export function storePath(bug: number, attachment: number, name: string, position: number): string {
  const low = Math.floor(bug / folderMax) * folderMax;
  const part = Math.floor(position / folderMax);
  const folder = `${low}-${low + folderMax - 1}/${bug}${part === 0 ? '' : `/part-${part + 1}`}`;
  return `${folder}/${attachment}-${safeName(name)}`;
}

/** A file in an attachment store, by its name. */
export interface Place {
  readonly path: string;
  readonly bug: number | null;
  readonly attachment: number;
}

/** The paths that a store lists and the bridge gave. A release lists names alone. */
export const placesIn = (store: AttachmentRule['store'] | undefined, paths: readonly string[]): readonly Place[] =>
  paths.flatMap((path) => {
    const place = placeIn(path);
    return place === null || (place.bug === null) !== (store === 'release') ? [] : [{ path, ...place }];
  });

/**
 * What a path that the bridge gave names; the name alone, as releases list it, has no bug. Null for what others put
 * there.
 */
export function placeIn(path: string): Pick<Place, 'bug' | 'attachment'> | null {
  const [, low, high, bug, attachment] = /^(?:(\d+)-(\d+)\/(\d+)\/(?:part-\d+\/)?)?(\d+)-[^/]+$/u.exec(path) ?? [];
  if (attachment === undefined) return null;
  if (bug === undefined) return { bug: null, attachment: Number(attachment) };
  const isRange =
    Number(low) === Math.floor(Number(bug) / folderMax) * folderMax && Number(high) === Number(low) + folderMax - 1;
  return isRange ? { bug: Number(bug), attachment: Number(attachment) } : null;
}

/**
 * A file name that is valid on every system: no folders, no characters that some systems forbid, no e-mail address.
 * Letters of all scripts are kept. A long name loses its middle, so that its extension remains.
 */
export function safeName(name: string): string {
  const base = withoutAddresses(name.toWellFormed().normalize('NFC')).split(/[/\\]/u).at(-1) ?? '';
  const clean = base
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd<>:"|?*@]/gu, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/gu, '');
  return shortened(clean) || 'file';
}

function shortened(name: string): string {
  if (bytesOf(name) <= nameBytesMax) return name;
  const extension = /\.[\w-]{1,12}$/u.exec(name)?.[0] ?? '';
  let head = '';
  for (const character of name) {
    if (bytesOf(head + character + extension) > nameBytesMax) break;
    head += character;
  }
  return `${head.trimEnd()}${extension}`;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** `25 MB`, `1.4 kB`, `17 bytes` */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [unit, size] = bytes < 999_950 ? (['kB', 1_000] as const) : (['MB', 1_000_000] as const);
  const number = bytes / size;
  return `${number < 9.95 ? number.toFixed(1).replace(/\.0$/u, '') : Math.round(number)} ${unit}`;
}

/** Why a file of this size stays in its place; null if it may cross. */
export function whyTooLarge(rule: AttachmentRule, size: number): string | null {
  return size > rule.bytesMax ? `larger than ${sizeInWords(rule.bytesMax)}` : null;
}
