import { failedAt, noSuch, TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { flagOf, type Request, textOf } from '../server/request.ts';
import type { TrackerFlag } from '../world/state.ts';
import type { FlagType } from './flags.ts';

/**
 * The wish of a request for one flag: an existing one, or a new one of a kind. Source: spec sections 4.6.1 and 4.6.2.
 */
export interface FlagWish {
  /** The flag to change; null for a new one. */
  readonly flag: TrackerFlag | null;
  /** Null if the request names neither a flag nor a kind. */
  readonly type: FlagType | null;
  /** As received, not yet checked. */
  readonly status: string;
  readonly requestee: string;
}

/**
 * Reads the flag objects of a request against the present flags: changes before new ones, in the server's order. Throws
 * 51 for a missing flag or kind, and 132 if several flags match.
 */
export function flagWishes(
  value: unknown,
  current: readonly TrackerFlag[],
  types: readonly FlagType[],
): readonly FlagWish[] {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return [];
  if (!Array.isArray(value)) throw failedAt('Not an ARRAY reference', 'flags');
  const wishes = value.map((element: unknown) => flagWish(element, current, types));
  return [...wishes.filter(({ flag }) => flag !== null), ...wishes.filter(({ flag }) => flag === null)];
}

function flagWish(element: unknown, current: readonly TrackerFlag[], types: readonly FlagType[]): FlagWish {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) {
    const asHash = `Can't use string ("${String(element)}") as a HASH ref while "strict refs" in use`;
    const what = typeof element === 'object' ? 'Not a HASH reference' : asHash;
    throw failedAt(what, 'flag');
  }
  const request: Request = { ...element };
  const rest = { status: textOf(request, 'status') ?? '', requestee: textOf(request, 'requestee') ?? '' };
  if (flagOf(request, 'id') === true) {
    const id = numberOf(request, 'id');
    const flag = current.find((candidate) => candidate.id === id);
    if (flag === undefined) throw noSuchId('flag', textOf(request, 'id') ?? '');
    return { ...rest, flag, type: types.find((candidate) => candidate.id === flag.type) ?? null };
  }
  const type = wantedType(request, types);
  const isNew = flagOf(request, 'new') === true;
  return {
    ...rest,
    type,
    flag: type === null || isNew ? null : onlyFlag(current, type, textOf(request, 'type_id') ?? type.name),
  };
}

function wantedType(request: Request, types: readonly FlagType[]): FlagType | null {
  if (flagOf(request, 'type_id') === true) {
    const id = numberOf(request, 'type_id');
    const type = types.find((candidate) => candidate.id === id);
    if (type === undefined) throw noSuchId('flagtype', textOf(request, 'type_id') ?? '');
    return type;
  }
  if (flagOf(request, 'name') !== true) return null;
  const name = textOf(request, 'name') ?? '';
  const type = types.find((candidate) => candidate.name === name);
  if (type === undefined) throw noSuch('flagtype', name);
  return type;
}

/** The flag of a kind; null if there is none. If there are several, the request must name one by `id`. */
function onlyFlag(current: readonly TrackerFlag[], type: FlagType, asked: string): TrackerFlag | null {
  const [flag, another] = current.filter((candidate) => candidate.type === type.id);
  if (another === undefined) return flag ?? null;
  throw new TrackerError(132, 400, guesses.severalFlags(asked));
}

const numberOf = (request: Request, name: string): number => Number.parseInt(textOf(request, name) ?? '', 10);

const noSuchId = (kind: string, id: string): TrackerError =>
  new TrackerError(51, 404, `There is no ${kind} with the id '${id}'.`);
