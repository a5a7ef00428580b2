import * as z from 'zod/mini';
import { cronComplaint } from './check-cron.ts';
import { routeComplaints } from './check-route.ts';
import type { WrittenNotify } from './notify.ts';
import type { Complaint } from './problem.ts';
import { notifySchema } from './schema/notify.ts';
import { text } from './schema/parts.ts';
import { routeSchema, type WrittenRoute } from './schema/route.ts';
import { githubSchema, httpSchema, scheduleSchema, trackerSchema, type WrittenConfig } from './schema/schema.ts';

/**
 * The parts of a configuration that have the right shape, so that a mistake in one part does not hide those in another.
 */
export interface Parts {
  readonly instance: string | null;
  readonly tracker: WrittenConfig['tracker'] | null;
  readonly github: WrittenConfig['github'] | null;
  readonly state: string | null;
  readonly schedule: WrittenConfig['schedule'] | null;
  readonly http: NonNullable<WrittenConfig['http']> | null;
  readonly notify: WrittenNotify | null;
  readonly routes: readonly (WrittenRoute | null)[];
}

/** The valid parts of a configuration that is invalid as a whole. */
export function wellFormedParts(data: unknown): Parts {
  const parts = z.object({
    instance: orNull(text),
    tracker: orNull(trackerSchema),
    github: orNull(githubSchema),
    state: orNull(text),
    schedule: orNull(scheduleSchema),
    http: orNull(httpSchema),
    notify: orNull(notifySchema),
    routes: z.catch(z.array(orNull(routeSchema)), []),
  });
  const none = {
    ...{ instance: null, tracker: null, github: null, state: null, schedule: null, http: null, notify: null },
    routes: [],
  };
  return z.catch(parts, none).parse(data);
}

const orNull = <Schema extends z.core.SomeType>(schema: Schema) => z.catch(z.nullable(schema), null);

/** The rules that go beyond the shape of single values. */
export function check(parts: Parts): Complaint[] {
  const complaints: Complaint[] = [];
  if (parts.instance !== null && !namePattern.test(parts.instance))
    complaints.push({ path: ['instance'], message: `instance ${nameRule}` });
  for (const side of ['tracker', 'github'] as const) {
    const url = parts[side]?.url;
    const wrong = url === undefined ? null : urlComplaint(url);
    if (wrong !== null) complaints.push({ path: [side, 'url'], message: `${side}.url ${wrong}` });
  }
  for (const [index, url] of (parts.tracker?.formerUrls ?? []).entries()) {
    const wrong = urlComplaint(url);
    const path = ['tracker', 'formerUrls', index];
    if (wrong !== null) complaints.push({ path, message: `tracker.formerUrls ${wrong}` });
  }
  for (const name of ['poll', 'sweep'] as const) {
    const wrong = parts.schedule === null ? null : cronComplaint(parts.schedule[name]);
    if (wrong !== null) complaints.push({ path: ['schedule', name], message: `schedule.${name} ${wrong}` });
  }
  if (parts.state !== null && isForgetful(parts.state))
    complaints.push({ path: ['state'], message: 'state must name a file: whatever SQLite keeps in memory is lost' });
  complaints.push(...httpComplaints(parts.http));
  const taken = new Set<string>();
  for (const [index, route] of parts.routes.entries()) {
    if (route === null) continue;
    const path = ['routes', index];
    const name = route.name.toLowerCase();
    if (!namePattern.test(route.name))
      complaints.push({ path: [...path, 'name'], message: `the name of a route ${nameRule}` });
    if (taken.has(name))
      complaints.push({ path: [...path, 'name'], message: `another route is already named ${route.name}` });
    taken.add(name);
    complaints.push(...routeComplaints(route, path));
  }
  return complaints;
}

/** Names for which SQLite makes no file. */
const isForgetful = (state: string): boolean => ['', ':memory:'].includes(state.trim().toLowerCase());

/** Anyone who can reach the port could resolve conflicts, so clients from the network need a token. */
function httpComplaints(http: Parts['http']): Complaint[] {
  if (http === null || isLoopback(http.host) || http.token !== undefined || http.tokenFile !== undefined) return [];
  const message = `http.host ${http.host} is open to the network, so http needs token or tokenFile; only 127.0.0.1, ::1 and localhost do not`;
  return [{ path: ['http', 'host'], message }];
}

const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/u.test(host);

/** Names appear in HTML comments, which two hyphens in a row would end. */
const namePattern = /^(?!.*--)[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;
const nameRule =
  'must have 1 to 40 letters, digits, dots, underscores and single hyphens, and begin with a letter or digit';

function urlComplaint(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    return 'must be an address that begins with https:// (or http://)';
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain a user name or password';
  return parsed.search !== '' || parsed.hash !== '' ? 'must end before any ? or #' : null;
}
