import type { FuzzRequest } from './request.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** What the text says, in whatever form; undefined for an empty one and for pages that are for people. */
  readonly body: unknown;
  /** The code of an error; null for a success. */
  readonly code: number | null;
  /** What is wrong with its form; null when nothing is. */
  readonly fault: string | null;
}

type Content = Pick<FuzzAnswer, 'body' | 'fault'>;

/** Reads an answer and judges its form. */
export async function readAnswer(response: Response, request: FuzzRequest): Promise<FuzzAnswer> {
  const text = await response.text();
  const { status } = response;
  const type = (response.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
  const { body, fault } = contentOf(text, type, status, request);
  const error = errorIn(body);
  const answer = { status, type, text, body, code: error === null ? null : error.code, fault };
  return {
    ...answer,
    fault: fault ?? statusFault(status, request) ?? (error === null ? null : errorFault(error, status, request)),
  };
}

function contentOf(text: string, type: string, status: number, { route, method }: FuzzRequest): Content {
  if (text === '') {
    const isFine = status === 304 || method === 'HEAD' || (status === 200 && type === '');
    return { body: undefined, fault: isFine ? null : `an empty answer with ${status} ${type}` };
  }
  if (type === 'application/json') return parsed(text);
  if (type === 'text/javascript' || type === 'application/javascript') {
    const inner = /^\/\*\*\/[\w.[\]]+\((.*)\)$/s.exec(text)?.[1];
    // Without the name of a function the text is bare, whatever type was asked for.
    return parsed(inner ?? text);
  }
  if (type !== 'text/html' && type !== 'text/plain')
    return { body: undefined, fault: `an answer of the type "${type}"` };
  if (/<(?:script|img|svg)\b[^>]*fuzz|<script>fuzz/i.test(text))
    return { body: undefined, fault: 'markup of the caller in a page' };
  const page = /<pre>(.*)\n<\/pre>\n {2}<\/body>/s.exec(text)?.[1];
  if (type === 'text/html' && page !== undefined && route !== '/show_bug.cgi') return parsed(plainText(page));
  const isPage = ['/', '/show_bug.cgi'].includes(route) || [404, 414].includes(status);
  return { body: undefined, fault: isPage ? null : `a page instead of an answer: ${text.slice(0, 80)}` };
}

const plainText = (page: string): string =>
  page
    .replaceAll('&#64;', '@')
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

function parsed(text: string): Content {
  try {
    return { body: JSON.parse(text) as unknown, fault: null };
  } catch {
    return { body: undefined, fault: `no JSON: ${text.slice(0, 80)}` };
  }
}

interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly names: readonly string[];
}

function errorIn(body: unknown): ErrorBody | null {
  if (typeof body !== 'object' || body === null || !('error' in body) || body.error === null) return null;
  const { error } = body;
  const holder: unknown = typeof error === 'object' ? error : body;
  if (typeof holder !== 'object' || holder === null) return null;
  const { code, message } = holder as Record<string, unknown>;
  return {
    code: typeof code === 'number' ? code : Number.NaN,
    message: typeof message === 'string' ? message : '',
    names: Object.keys(body),
  };
}

const statusFault = (status: number, { route }: FuzzRequest): string | null => {
  const known = route === '/jsonrpc.cgi' ? [200, 404] : [200, 201, 304, 400, 401, 404, 414];
  return known.includes(status) ? null : `the status ${status}`;
};

/**
 * Which status goes with which code (facts 4); all others go with 400, and internal failures with that of a success.
 */
const statuses: ReadonlyMap<number, number> = new Map(
  (
    [
      [404, 51, 101, 32_614],
      [401, 102, 106, 110, 113, 115, 120, 300, 301, 304, 410, 504, 505],
    ] as const
  ).flatMap(([status, ...codes]) => codes.map((code): [number, number] => [code, status])),
);

function errorFault({ code, message, names }: ErrorBody, status: number, { route }: FuzzRequest): string | null {
  if (!Number.isInteger(code) || message === '') return 'an error without a code or a message';
  // The server that is played here fails in Perl, which ends what it says with a new line: anything else is a failure
  // of the player.
  if (code === 100_500 && !message.endsWith('\n')) return `a crash inside: ${message}`;
  if (route === '/jsonrpc.cgi') return null;
  if (names.toSorted().join() !== 'code,documentation,error,message') return `an error of the form ${names.join()}`;
  const wanted = code === 100_500 ? [200, 201] : [statuses.get(code) ?? 400];
  return wanted.includes(status) ? null : `the code ${code} with the status ${status}`;
}
