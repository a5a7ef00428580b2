import { forgetSetAside, isSetAside, type Sparing, setAside, type Work } from './set-aside.ts';

/** Does work on one item that waits for a side, as `spare` does the rest. What it stored is kept as far as it got. */
export async function spareAsync<T>(context: Sparing, work: Work, run: () => Promise<T>): Promise<T | null> {
  if (isSetAside(context, work)) return null;
  try {
    return await run();
  } catch (error) {
    setAside(context, work, error);
    return null;
  }
}

/** The same for the last step of the work on a link: once it succeeds, the item is no longer set aside. */
export async function sparing(context: Sparing, work: Work, run: () => Promise<void>): Promise<void> {
  const { store, route } = context;
  const failures = (): number => store.setAside.get(route.name, work.side, work.ref)?.count ?? 0;
  const before = failures();
  await spareAsync(context, work, run);
  if (before > 0 && failures() === before && !isSetAside(context, work)) forgetSetAside(context, work);
}
