import type { Config } from '../config/config.ts';
import { rehearsed } from '../config/rehearse.ts';
import { UsageError } from './failure.ts';
import type { MigrateOptions } from './migrate-options.ts';
import type { Terminal } from './terminal.ts';

/** The configuration as a rehearsal takes it; as it is without one. Throws `UsageError`. */
export function rehearsalOf(config: Config, { rehearse, route }: MigrateOptions): Config {
  if (rehearse === undefined) return config;
  if (!/^[\w.-]+\/[\w.-]+$/u.test(rehearse)) throw new UsageError(`--rehearse takes a repository as owner/name, and ${rehearse} is none.`);
  const routes = config.routes.filter(({ name }) => route === undefined || name === route);
  const [only] = routes;
  if (only === undefined) throw new UsageError(`There is no route ${route ?? ''}.`);
  if (routes.length > 1) throw new UsageError('A rehearsal takes one route into one repository: name it with --route.');
  if (config.routes.some(({ github }) => github.repo.toLowerCase() === rehearse.toLowerCase()))
    throw new UsageError(`${rehearse} is the repository of a route itself. Rehearse in another one that may be deleted afterwards.`);
  return rehearsed(config, only, rehearse);
}

export function tellRehearsal({ note }: Terminal, { state }: Config, { rehearse }: MigrateOptions): void {
  if (rehearse === undefined) return;
  note(`bugferry: rehearsal in ${rehearse}, remembered in ${state}. When you have seen enough, delete both.`);
}
