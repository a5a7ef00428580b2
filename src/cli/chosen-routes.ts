import { UsageError } from './exit-code.ts';

export const allOff = 'All routes of the configuration are switched off (enabled: false).';

/** The route with the name, or all routes without one. Throws `UsageError` if there is none. */
export function chosenRoutes<T extends { readonly name: string }>(
  routes: readonly T[],
  name: string | undefined,
): readonly T[] {
  const found = name === undefined ? routes : routes.filter((route) => route.name === name);
  if (found.length > 0) return found;
  if (routes.length === 0) throw new UsageError(allOff);
  const known = routes.map((route) => route.name).join(', ');
  throw new UsageError(`There is no route ${name}; the configuration has ${known}.`);
}
