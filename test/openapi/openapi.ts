/**
 * Checks requests and answers against GitHub's own OpenAPI descriptions, so that neither the sandbox nor the bridge can
 * drift away from the real interface together: that of github.com in both versions of the interface, and that of the
 * oldest Enterprise Server. `node scripts/github-descriptions.ts renew` renews them.
 */

import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Query = Readonly<Record<string, string | number | undefined>> | URLSearchParams;

type Source = 'slice' | 'github' | 'enterprise';
/** GitHub's alternatives overlap: an error with status 422 may fit two of them, so it has to fit any. */
const read = (source: Source): Description =>
  JSON.parse(readFileSync(new URL(`./${source}.json`, import.meta.url), 'utf8').replaceAll('"oneOf":', '"anyOf":'));
const descriptions: Readonly<Record<Source, Description>> = {
  slice: read('slice'),
  github: read('github'),
  enterprise: read('enterprise'),
};
const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false });
formats.default(ajv);
for (const format of ['timestamp', 'repo.nwo']) ajv.addFormat(format, true);
for (const [source, description] of Object.entries(descriptions)) ajv.addSchema(description, source);
const checks = new Map<string, ValidateFunction>();

/** What an Enterprise Server of that age lacks; the bridge does without it there. */
const newerThanEnterprise = /\/(?:issue-types|issue-fields|issue-field-values|dependencies|versions)(?:\/|$)/u;
const namesNewerThanEnterprise = ['issue_field_values', 'type', 'duplicate_issue_id'];

/** Answers that any request may get, described or not, all of them with GitHub's basic error as a body. */
const anywhere = ['301', '400', '401', '403', '404', '410', '422', '429', '500', '502', '503'];
/** Parameters that only Link headers use. */
const linkParameters = ['after', 'before'];

/** What is wrong with a request, one sentence each; none when GitHub describes it so. `path` is without the query. */
export function validateRequest(method: string, path: string, query: Query, body: unknown): readonly string[] {
  const of = (source: Source): readonly string[] => requestProblems(source, method, path, query, body);
  const old = newerThanEnterprise.test(path) ? [] : of('enterprise').map((problem) => `Enterprise Server: ${problem}`);
  return [...new Set([...of('slice'), ...of('github'), ...old])];
}

function requestProblems(source: Source, method: string, path: string, query: Query, body: unknown): readonly string[] {
  const found = operationAt(source, method, path);
  if (found === null) return [`GitHub describes no ${method} ${path}`];
  const where = `${method} ${found.template}`;
  const { requestBody } = found.operation;
  const problems = queryProblems(found, query, where);
  if (body === undefined || body === null)
    return requestBody?.required === true ? [...problems, `${where} needs a body`] : problems;
  if (requestBody === undefined) return [...problems, `${where} takes no body`];
  const pointer = [...found.pointer, 'requestBody', 'content', 'application/json', 'schema'];
  const known = requestBody.content?.['application/json']?.schema.properties;
  const unknown =
    known === undefined || typeof body !== 'object'
      ? []
      : Object.keys(body).filter(
          (name) => !(name in known) && !(source === 'enterprise' && namesNewerThanEnterprise.includes(name)),
        );
  return [
    ...problems,
    ...unknown.map((name) => `${where} takes no ${name}`),
    ...problemsAt(source, pointer, body, `${where}, body`),
  ];
}

/** What is wrong with an answer; null or undefined stand for an empty body. */
export function validateResponse(
  method: string,
  path: string,
  status: number,
  body: unknown,
  version = '2022-11-28',
): readonly string[] {
  if (version === '2026-03-10') return responseProblems('github', method, path, status, body);
  // The only version of an Enterprise Server of that age; refusals differ in words only.
  const isSince = newerThanEnterprise.test(path) || status >= 400;
  const old = isSince ? [] : responseProblems('enterprise', method, path, status, body);
  return [
    ...responseProblems('slice', method, path, status, body),
    ...old.map((problem) => `Enterprise Server: ${problem}`),
  ];
}

function responseProblems(
  source: Source,
  method: string,
  path: string,
  status: number,
  body: unknown,
): readonly string[] {
  const found = operationAt(source, method, path);
  // The request is wrong, and not its answer.
  if (found === null) return [];
  const where = `${method} ${found.template}, ${status}`;
  if (status === 304 && method === 'GET') return body === null || body === undefined ? [] : [`${where} has no body`];
  const response = found.operation.responses[String(status)];
  if (response === undefined) {
    return anywhere.includes(String(status))
      ? problemsAt('slice', ['components', 'schemas', 'basic-error'], body, where)
      : [`${where} is not described`];
  }
  const pointer =
    '$ref' in response ? response.$ref.slice(2).split('/') : [...found.pointer, 'responses', String(status)];
  const content: Content = '$ref' in response ? lookUp(source, pointer) : response;
  // Of some refusals, only the status is described.
  if (content.content === undefined)
    return body === null || body === undefined || status >= 400 ? [] : [`${where} has no body`];
  return problemsAt(source, [...pointer, 'content', 'application/json', 'schema'], body, where);
}

interface Found {
  readonly source: Source;
  readonly template: string;
  readonly operation: Operation;
  readonly pointer: readonly string[];
}

/** The most literal template that fits wins: `/issues/comments` before `/issues/{issue_number}`. */
function operationAt(source: Source, method: string, path: string): Found | null {
  const parts = path.replace(/^\/repositories\/\d+/, '/repos/owner/repo').split('/');
  const fitting = Object.keys(descriptions[source].paths).filter((template) => fits(template.split('/'), parts));
  const [template] = fitting.sort((left, right) => left.split('{').length - right.split('{').length);
  const verb = method.toLowerCase();
  const operation = template === undefined ? undefined : descriptions[source].paths[template]?.[verb];
  return template === undefined || operation === undefined
    ? null
    : { source, template, operation, pointer: ['paths', template, verb] };
}

/** These may contain slashes: they are the names of branches. */
const isLong = (part: string | undefined): boolean => part === '{ref}' || part === '{basehead}';

function fits(template: readonly string[], parts: readonly string[]): boolean {
  return (
    (template.length === parts.length || (isLong(template.at(-1)) && template.length < parts.length)) &&
    template.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  );
}

function queryProblems({ source, operation, pointer }: Found, query: Query, where: string): string[] {
  const parameters = (operation.parameters ?? []).map((parameter, at) =>
    '$ref' in parameter
      ? {
          ...lookUp<Parameter>(source, parameter.$ref.slice(2).split('/')),
          pointer: parameter.$ref.slice(2).split('/'),
        }
      : { ...parameter, pointer: [...pointer, 'parameters', String(at)] },
  );
  const given =
    query instanceof URLSearchParams ? [...query] : Object.entries(query).filter(([, value]) => value !== undefined);
  return given.flatMap(([name, value]) => {
    const parameter = parameters.find((candidate) => candidate.in === 'query' && candidate.name === name);
    if (parameter === undefined) return linkParameters.includes(name) ? [] : [`${where} takes no parameter ${name}`];
    const typed = parameter.schema.type === 'integer' ? Number(value) : String(value);
    return problemsAt(source, [...parameter.pointer, 'schema'], typed, `${where}, parameter ${name}`);
  });
}

function problemsAt(source: Source, pointer: readonly string[], value: unknown, where: string): string[] {
  const address = `${source}#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const check = checks.get(address) ?? ajv.compile({ $ref: address });
  checks.set(address, check);
  if (check(value)) return [];
  return (check.errors ?? []).map((error) => `${where}${error.instancePath}: ${error.message}`);
}

function lookUp<T>(source: Source, pointer: readonly string[]): T {
  return pointer.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], descriptions[source]) as T;
}
