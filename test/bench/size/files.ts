import { random } from '../../support/random.ts';
import { skewed } from './draws.ts';
import { textOf } from './words.ts';

/**
 * Files whose content is made when somebody asks for it, as the sandboxes would hold gigabytes otherwise. Most are
 * patches and logs of some kilobytes, a few have megabytes.
 */

export const privateWord = 'PRIVATECANARY';

const bytesMax = 4_000_000;
const chunk = 4_096;

export interface FileSize {
  readonly id: number;
  readonly size: number;
  readonly isPrivate: boolean;
}

export function sizeOf(id: number): number {
  const draw = random(id * 7_919);
  if (draw.chance(0.001)) return 1_000_000 + draw.below(bytesMax - 1_000_000);
  return Math.min(bytesMax, Math.ceil(skewed(draw, 2_500, 1.4))) + 64;
}

/** The same content each time. Its first line names the file. */
export function contentOf({ id, size, isPrivate }: FileSize): Buffer {
  const head = `file ${id} of ${size} bytes${isPrivate ? ` ${privateWord}` : ''}\n`;
  const part = Buffer.from(textOf(random(id), chunk).replaceAll(/[^ -~\n]/gu, '?'));
  const bytes = Buffer.alloc(size, part);
  bytes.write(head);
  return bytes;
}

/** The file that these bytes are; null if they are none of ours. */
function fileIn(bytes: Uint8Array): FileSize | null {
  const head = Buffer.from(bytes.subarray(0, 80)).toString('latin1');
  const [, id, size] = /^file (\d+) of (\d+) bytes/u.exec(head) ?? [];
  const file = { id: Number(id), size: Number(size), isPrivate: head.includes(privateWord) };
  return id !== undefined && Buffer.compare(contentOf(file), bytes) === 0 ? file : null;
}

/** The blobs of a repository, of which those that can be made again are kept by their numbers. */
export class MadeBlobs extends Map<string, Uint8Array> {
  readonly #made = new Map<string, FileSize>();

  override set(sha: string, bytes: Uint8Array): this {
    const file = fileIn(bytes);
    if (file === null) return super.set(sha, bytes);
    this.#made.set(sha, file);
    return this;
  }

  override get(sha: string): Uint8Array | undefined {
    const file = this.#made.get(sha);
    return file === undefined ? super.get(sha) : contentOf(file);
  }

  override has(sha: string): boolean {
    return this.#made.has(sha) || super.has(sha);
  }
}
