import { validateGraphql, validateGraphqlAnswer } from './graphql.ts';
import { validateRequest, validateResponse } from './openapi.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body; empty for a file. */
  readonly text: string;
}

export interface Shown {
  readonly status: number;
  /** Of the interface. */
  readonly version: string | undefined;
  /** Null for what is no JSON. */
  readonly text: string | null;
}

interface Problems {
  readonly asked: readonly string[];
  readonly answered: readonly string[];
}

/** The sandbox has no host of its own for uploads. */
const uploads = /^\/(?:api\/)?uploads(?=\/)/u;

/** What GitHub does not describe in a request and in its answer. A gateway answers 500 and more as it likes. */
export function problemsIn({ method, path, query, text }: Asked, shown: Shown | null): Problems {
  if (/^\/(?:api\/)?graphql$/u.test(path)) return graphqlProblems(text, shown);
  const place = path.replace(uploads, '');
  return {
    asked: validateRequest(method, place, query, parsed(text)),
    answered:
      shown === null || shown.text === null || shown.status >= 500
        ? []
        : validateResponse(method, place, shown.status, parsed(shown.text), shown.version),
  };
}

function graphqlProblems(text: string, shown: Shown | null): Problems {
  const query = (parsed(text) as { readonly query?: unknown } | undefined)?.query;
  if (typeof query !== 'string') return { asked: ['a request to GraphQL has no query'], answered: [] };
  const asked = validateGraphql(query);
  const answer = shown?.status === 200 && asked.length === 0 ? parsed(shown.text ?? '') : undefined;
  // A limit may come in the form of REST.
  const isGraphql = typeof answer === 'object' && answer !== null && !('message' in answer);
  return { asked, answered: isGraphql ? validateGraphqlAnswer(query, answer) : [] };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
