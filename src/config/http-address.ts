import { readFileSync } from 'node:fs';
import type { HttpAccess } from './config.ts';
import { httpSecrets } from './credentials.ts';
import { httpDefaults } from './http-defaults.ts';
import { type Environment, readSource } from './source.ts';

/** The address of a bridge's HTTP server, and its token. */
export type HttpAddress = Pick<HttpAccess, 'host' | 'port' | 'token'>;

/**
 * Reads only the address from a configuration, without loading the schema. Null if anything is unusual; the full check
 * of the configuration then reports it.
 */
export function readHttpAddress(file: string, env: Environment = process.env): HttpAddress | null {
  const text = textOf(file);
  if (text === null) return null;
  const { data, problems, secretProblems } = readSource(text, file, env);
  const http = problems.length + secretProblems.length === 0 ? part(data, 'http') : null;
  if (typeof http !== 'object' || http === null || Array.isArray(http)) return null;
  const { host, port, token, tokenFile } = { ...httpDefaults, ...textsAndNumbers(http) };
  if (typeof host !== 'string' || !isPort(port)) return null;
  const secrets = httpSecrets({ token: textOr(token), tokenFile: textOr(tokenFile) });
  return secrets.value === undefined ? null : { host, port, token: secrets.value.token };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const part = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

type Written = Readonly<Partial<Record<'host' | 'port' | 'token' | 'tokenFile', string | number>>>;

const textsAndNumbers = (values: object): Written =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );

const textOr = (value: string | number | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const isPort = (port: string | number | undefined): port is number =>
  Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535;
