import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { createTrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type Recorded, recorded } from '../../bugzilla/api/recorded.ts';
import type { Play, Playback, Scenario, Step } from '../tracker/scenario.ts';
import { type Difference, differences } from './difference.ts';

const url = 'http://tracker.example.test';

export interface Played {
  readonly name: string;
  readonly caller: string;
  /** Empty when the sandbox answered as the real server did. */
  readonly differences: readonly Difference[];
}

/** Plays a scenario on its own world; returns the result of each play. */
export async function playScenario(scenario: Scenario, version: TrackerVersion = '5.2'): Promise<readonly Played[]> {
  const { stage, server } = recordedStage(version);
  const tokens = new Map<string, string>();
  const played: Played[] = [];
  let spoilt: Difference | null = null;
  for (const part of scenario) {
    if (typeof part === 'function') spoilt = (await failureOf(part, stage)) ?? spoilt;
    else {
      const exchange = recorded(part.name, version);
      if (version === '5.2') number(stage, exchange);
      else follow(stage, exchange);
      const answer = await ask(server, requestOf(exchange, part, stage, tokens));
      rememberToken(tokens, exchange.response.body, answer.body);
      const found = differences(exchange, answer, { ...stage, version, isShapeOnly: part.shapeOnly !== null });
      played.push({ name: part.name, caller: part.caller, differences: spoilt === null ? found : [spoilt, ...found] });
    }
  }
  return played;
}

/** The recorded run had made more before: what is made now gets the number that was recorded. */
function number({ world: { state } }: Playback, { request, response: { body } }: Recorded): void {
  const ids = createdIds(body);
  const first = ids[0];
  if (request.method !== 'POST' || first === undefined) return;
  if (request.path.endsWith('/bug')) state.nextBug = first;
  else if (request.path.endsWith('/comment')) state.nextComment = first;
  else if (request.path.endsWith('/attachment')) state.nextAttachment = first;
}

function createdIds(body: unknown): readonly number[] {
  if (typeof body !== 'object' || body === null) return [];
  if ('ids' in body && Array.isArray(body.ids)) return body.ids.map(Number);
  return 'id' in body ? [Number(body.id)] : [];
}

/** In a run without gaps, the numbers follow by themselves; the clock follows the times that its answers tell. */
function follow(stage: Playback, { request, response }: Recorded): void {
  if (request.method === 'GET') return;
  const times = JSON.stringify(response.body).matchAll(/"(?:last_change_time|creation_time)":"([^"]+)"/g);
  for (const [, time = ''] of times) stage.now = Math.max(stage.now, Date.parse(time));
}

/** A step that fails spoils all plays after it. */
async function failureOf(step: Step, stage: Playback): Promise<Difference | null> {
  try {
    await step(stage);
    return null;
  } catch (error) {
    return {
      what: 'scenario',
      path: '',
      recorded: 'a step that works',
      answered: error instanceof Error ? error.message : String(error),
    };
  }
}

type Server = ReturnType<typeof trackerServer>;

/** When the runs began. */
const begunAt: Readonly<Record<TrackerVersion, number>> = {
  '5.0': Date.UTC(2026, 10, 22, 7, 21, 22),
  '5.2': Date.UTC(2026, 10, 21, 9, 40),
  '5.3': Date.UTC(2026, 10, 22, 7, 21, 32),
  harmony: Date.UTC(2026, 10, 22, 7, 21, 44),
};

/** The recorded tracker's content, on the morning of the recording. */
function recordedStage(version: TrackerVersion): { readonly stage: Playback; readonly server: Server } {
  const clock = { now: begunAt[version], isClocked: false };
  const world = createTrackerWorld({ now: () => clock.now, url, version });
  loadTrackerWorld(world);
  const server = trackerServer(world);
  const direct = async (caller: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const init = {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const address = `${url}${path}${caller === 'nobody' ? '' : `?api_key=${world.user(caller).apiKey}`}`;
    const answer = await ask(server, { url: address, init });
    if (typeof answer.body === 'object' && answer.body !== null && 'error' in answer.body)
      throw new Error(JSON.stringify(answer));
    return answer.body;
  };
  return { stage: Object.assign(clock, { world, ask: direct }), server };
}

interface Ask {
  readonly url: string;
  readonly init: RequestInit;
}

async function ask(
  server: Server,
  { url: address, init }: Ask,
): Promise<{ status: number; contentType: string | null; body: unknown }> {
  const answer = await server.request(address, init);
  const text = await answer.text();
  const contentType = answer.headers.get('Content-Type');
  const isJson = contentType?.includes('json') === true;
  return { status: answer.status, contentType, body: isJson && text !== '' ? JSON.parse(text) : text };
}

function requestOf(
  { name, request }: Recorded,
  { caller }: Play,
  { world }: Playback,
  tokens: ReadonlyMap<string, string>,
): Ask {
  const user = world.state.users.find(({ login }) => login === `${caller}@example.test`);
  const fill = (text: string): string => {
    let filled = text
      .replaceAll('KEY', user?.apiKey ?? 'wrong'.repeat(8))
      .replaceAll('PASSWORD', passwordFor(text, world));
    for (const [theirs, ours] of tokens) filled = filled.replaceAll(theirs, ours);
    return filled;
  };
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, name.startsWith('Content') ? value : fill(value)]),
  );
  const hasBody = request.body !== null && !['GET', 'HEAD'].includes(request.method);
  return {
    url: `${url}${request.path}?${fill(request.query)}`,
    init: {
      method: request.method,
      headers,
      ...(hasBody ? { body: bodyOf(request.body, headers, fill, !name.includes('_raw_')) } : {}),
    },
  };
}

/** The password of the account that a query names. */
function passwordFor(query: string, world: Playback['world']): string {
  const login = new URLSearchParams(query).get('login');
  return world.state.users.find((user) => user.login === login)?.password ?? 'wrong';
}

/**
 * The body as it was sent, in bytes, because a text would bring a content type along. What was not JSON, or was broken
 * JSON, was recorded as a text.
 */
function bodyOf(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  fill: Fill,
  isEscaped: boolean,
): Uint8Array<ArrayBuffer> {
  if (typeof body !== 'string')
    return new TextEncoder().encode(asciiIf(isEscaped, fill(unabridged(JSON.stringify(body)))));
  // Invalid UTF-8 was recorded as the replacement character; a Latin-1 character is sent in its place.
  if (body.includes('\uFFFD')) return new Uint8Array(Buffer.from(body.replaceAll('\uFFFD', 'é'), 'latin1'));
  const isJson = headers['Content-Type']?.includes('json') === true && /^\w*$/.test(body) && body !== '';
  return new TextEncoder().encode(isJson ? JSON.stringify(body) : body);
}

type Fill = (text: string) => string;

/** Most bodies were sent in ASCII. */
function asciiIf(isEscaped: boolean, json: string): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return isEscaped ? json.replaceAll(/[^ -~]/g, escaped) : json;
}

/** Long values were recorded with a note of their length in place of the rest. */
const unabridged = (json: string): string =>
  json
    .replaceAll(/(x)x*…\(x repeated, (\d+) characters in all\)/g, (_, character: string, count: string) =>
      character.repeat(Number(count)),
    )
    .replaceAll(/(?<![\w+/=])[\w+/=]+…\(truncated, (\d+) bytes before base64\)/g, (_, bytes: string) =>
      Buffer.alloc(Number(bytes), 'x').toString('base64'),
    );

/** A login gives out another token here than there; later requests of the scenario carry the one given here. */
function rememberToken(tokens: Map<string, string>, theirs: unknown, ours: unknown): void {
  const [recordedToken, token] = [theirs, ours].map((body) =>
    typeof body === 'object' && body !== null && 'token' in body ? body.token : null,
  );
  if (typeof recordedToken === 'string' && typeof token === 'string') tokens.set(recordedToken, token);
}
