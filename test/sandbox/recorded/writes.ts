import type { TrackerWorldOptions } from '../../../src/sandbox/tracker/world/world.ts';
import { openServer } from '../tracker/client.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * A tracker to be written to over HTTP, with little to say per write. Bugs 1 and 2 are bob's, in Widget's Core: alice
 * has them, carol tests.
 */
export interface Writing {
  readonly world: ReturnType<typeof openServer>['world'];
  /** Lets a second go by. */
  tick(): void;
  /** Files a bug; answers its id, or the status and code of the refusal. */
  file(who: string, body?: Body): Promise<number | string>;
  /** Changes a bug; answers `removed -> added` by field, or the status and code of the refusal. */
  put(who: string, bug: number | string, body: Body): Promise<Body | string>;
  /** A bug as somebody reads it. */
  get(who: string, bug: number): Promise<Body>;
  /** `who: field removed -> added` for each change, in order. */
  history(who: string, bug: number): Promise<readonly string[]>;
}

export function openWriting(options: Partial<TrackerWorldOptions> = {}): Writing {
  const { world, clock, ask } = openServer(options);
  const answer = async (
    path: string,
    method: string,
    as: string,
    body?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ): Promise<{ readonly refusal: string | null; body: any }> => {
    const answered = await ask(path, { method, as, ...(body === undefined ? {} : { body }) });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const content = answered.body as any;
    return { refusal: content.error === true ? `${answered.status} ${content.code}` : null, body: content };
  };
  return {
    world,
    tick: () => {
      clock.now += 1000;
    },
    file: async (who, body = {}) => {
      const { refusal, body: filed } = await answer('/rest/bug', 'POST', who, {
        product: 'Widget',
        component: 'Core',
        version: '1.0',
        summary: 's',
        ...body,
      });
      return refusal ?? filed.id;
    },
    put: async (who, bug, body) => {
      const { refusal, body: changed } = await answer(`/rest/bug/${bug}`, 'PUT', who, body);
      return refusal ?? arrows(changed.bugs[0].changes);
    },
    get: async (who, bug) => (await answer(`/rest/bug/${bug}`, 'GET', who)).body.bugs[0],
    history: async (who, bug) => {
      const { body } = await answer(`/rest/bug/${bug}/history`, 'GET', who);
      return body.bugs[0].history.flatMap((changeset: { who: string; changes: Change[] }) =>
        changeset.changes.map((change) => `${changeset.who.split('@')[0]}: ${change.field_name} ${arrow(change)}`),
      );
    },
  };
}

interface Change {
  readonly field_name: string;
  readonly removed: string;
  readonly added: string;
}

const arrow = ({ removed, added }: Pick<Change, 'removed' | 'added'>): string => `${removed} -> ${added}`;
const arrows = (changes: Readonly<Record<string, Change>>): Body =>
  Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, arrow(change)]));
