import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutSlash } from '../model/named.ts';
import { check, type Parts, wellFormedParts } from './check.ts';
import { complaintsOf } from './complaints.ts';
import { type Config, type HttpAccess, type Settings, secretsIn } from './config.ts';
import { githubCredential, type HttpSecrets, httpSecrets, trackerKey } from './credentials.ts';
import { readyLagMinutes } from './http-defaults.ts';
import { notifyAccess } from './notify.ts';
import { doubled, pairProblems } from './people.ts';
import { type PeopleSource, readMap } from './people-book.ts';
import { type Complaint, ConfigProblems, type Problem } from './problem.ts';
import { configSchema, type WrittenConfig } from './schema/schema.ts';
import { type Environment, readSource, type Source } from './source.ts';

/** Reads and checks a configuration file. Throws `ConfigProblems` with all problems, ready to print. */
export function loadConfig(file: string, env: Environment = process.env): Config {
  return parseConfig(readText(file), file, env);
}

/** The same for a text; messages call it `file`. */
export function parseConfig(text: string, file: string, env: Environment = process.env): Config {
  const { source, written, people, secrets, complaints } = parse(text, file, env);
  const { key, credential, http, notify } = secrets;
  const ofSecrets = [key, credential, http, notify].flatMap((each) => each?.complaints ?? []);
  const problems = [...merged(source, [...complaints, ...ofSecrets]), ...(people?.problems ?? [])];
  if (
    written === null ||
    people === null ||
    problems.length > 0 ||
    key?.value === undefined ||
    credential?.value === undefined
  ) {
    throw new ConfigProblems(problems);
  }
  const { tracker, github, people: _written, peopleFile: _file, http: server, notify: _notify, ...rest } = written;
  return {
    ...rest,
    tracker: { ...placesOf(tracker), apiKey: key.value, auth: tracker.auth, login: tracker.login ?? null },
    github: { url: withoutSlash(github.url), credential: credential.value },
    people: people.source,
    lagMaxMs: lagMaxOf(written),
    http: server === undefined || http?.value === undefined ? null : httpAccess(server, http.value),
    notify: notify?.value ?? null,
    secrets: secretsIn(key.value, credential.value, http?.value, notify?.value),
    reread: { apiKey: () => trackerKey(tracker), credential: () => githubCredential(github) },
  };
}

/**
 * Reads a configuration file for a command that asks neither side. Its secrets may be absent. Throws `ConfigProblems`.
 */
export function loadSettings(file: string, env: Environment = process.env): Settings {
  const { source, written, people, secrets, complaints } = parse(readText(file), file, env);
  const problems = [...merged({ ...source, secretProblems: [] }, complaints), ...(people?.problems ?? [])];
  if (written === null || people === null || problems.length > 0) throw new ConfigProblems(problems);
  const { tracker, github, people: _written, peopleFile: _file, http: _server, notify: _notify, ...rest } = written;
  return {
    ...rest,
    tracker: placesOf(tracker),
    github: { url: withoutSlash(github.url) },
    people: people.source,
    lagMaxMs: lagMaxOf(written),
    secrets: secretsIn(secrets.key?.value, secrets.credential?.value, secrets.http?.value, secrets.notify?.value),
  };
}

const placesOf = ({ url, formerUrls }: WrittenConfig['tracker']): Settings['tracker'] => ({
  url: withoutSlash(url),
  formerUrls: formerUrls.map(withoutSlash),
});

function parse(text: string, file: string, env: Environment) {
  const source = readSource(text, file, env);
  if (source.data === null && source.problems.length > 0) throw new ConfigProblems(source.problems);
  // The file is parsed once, so compiling the schema, as zod does by default, would cost more than it saves.
  const parsed = configSchema.safeParse(source.data, { jitless: true });
  const parts: Parts = parsed.success
    ? { ...parsed.data, http: parsed.data.http ?? null, notify: parsed.data.notify ?? null }
    : wellFormedParts(source.data);
  return {
    source,
    written: parsed.success ? parsed.data : null,
    people: parsed.success ? peopleSource(parsed.data, source, file) : null,
    secrets: {
      key: parts.tracker === null ? null : trackerKey(parts.tracker),
      credential: parts.github === null ? null : githubCredential(parts.github),
      http: parts.http === null ? null : httpSecrets(parts.http),
      notify: parts.notify === null ? null : notifyAccess(parts.notify, env),
    },
    complaints: [...(parsed.success ? [] : complaintsOf(parsed.error.issues, source.data)), ...check(parts)],
  };
}

function httpAccess({ host, port }: NonNullable<WrittenConfig['http']>, secrets: HttpSecrets): HttpAccess {
  return { host, port, ...secrets };
}

const lagMaxOf = ({ http }: WrittenConfig): number => (http?.readyLagMinutes ?? readyLagMinutes) * 60_000;

/** The map of people and all its problems, from both sources. */
function peopleSource(
  written: WrittenConfig,
  source: Source,
  file: string,
): { source: PeopleSource; problems: readonly Problem[] } {
  const pairs = Object.entries(written.people).map(([tracker, github]) => {
    const { line } = source.problemAt(['people', tracker], '');
    return { tracker, github, file, line };
  });
  const own = [...pairs.flatMap(pairProblems), ...doubled(pairs)];
  const nobody = written.tracker.nobody === undefined ? [] : [written.tracker.nobody].flat();
  const peopleFile = written.peopleFile === undefined ? null : resolve(dirname(file), written.peopleFile);
  const people = { pairs, nobody, file: peopleFile };
  const reading = own.length > 0 ? { problems: own } : readMap(people);
  return { source: people, problems: 'problems' in reading ? reading.problems : [] };
}

/**
 * Drops complaints about a value whose text already has a problem, so that one mistake is reported once.
 */
function merged(source: Source, complaints: readonly Complaint[]): Problem[] {
  const placed = complaints.map(({ path, message }) => source.problemAt(path, message));
  const found = [...source.problems, ...source.secretProblems];
  const isReported = (problem: Problem) =>
    found.some((other) => other.line === problem.line && other.column === problem.column);
  return [...found, ...placed.filter((problem) => !isReported(problem))];
}

/** The package has it, wherever it is installed. */
export const exampleFile = fileURLToPath(new URL('../../config/bridge.example.yaml', import.meta.url));

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const message =
      code === 'ENOENT'
        ? `the file does not exist; bugferry init writes one, --config selects another, and ${exampleFile} shows every key`
        : code === 'EISDIR'
          ? 'this is a folder; name the file in it, with --config'
          : `the file cannot be read (${code})`;
    throw new ConfigProblems([{ file, line: 1, column: 1, message }]);
  }
}

/**
 * One route into another repository, with a separate state file beside the real one. Files go there too, and the
 * tracker is only read: a bug must not link to an issue that will be deleted.
 */
export function rehearsed<T extends Pick<Settings, 'routes' | 'state'>>(
  config: T,
  route: T['routes'][number],
  repo: string,
): T {
  const { attachments } = route;
  const attachmentStore =
    attachments === undefined || attachments.repo === undefined ? {} : { attachments: { ...attachments, repo } };
  return {
    ...config,
    state: stateBeside(config.state, repo),
    routes: [{ ...route, ...attachmentStore, direction: 'to-github', github: { ...route.github, repo } }],
  };
}

/** `state/bugferry.db` becomes `state/bugferry.rehearsal-acme-trial.db`. */
function stateBeside(state: string, repo: string): string {
  const [, stem = state, ending = ''] = /^(.*?)(\.[^./\\]+)?$/u.exec(state) ?? [];
  return `${stem}.rehearsal-${repo.toLowerCase().replace('/', '-')}${ending}`;
}
