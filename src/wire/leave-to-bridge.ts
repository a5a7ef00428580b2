import type { Settings } from '../config/config.ts';
import type { Context } from '../kernel/context.ts';
import type { ControlCommand } from '../model/control.ts';
import { systemClock } from '../runtime/clock.ts';
import { fileControlQueue } from '../store/control-queue.ts';
import { StateLocked } from '../store/trouble.ts';
import { takeAtOnce } from '../sync/commands.ts';
import { openView, type ViewOptions } from './view.ts';

/**
 * Queues commands. Whether a running bridge takes them; otherwise those that only change the state are carried out
 * here.
 */
export function leaveToBridge(
  settings: Settings,
  commands: readonly ControlCommand[],
  { tell = () => {}, ...options }: ViewOptions & { readonly tell?: Context['tell'] },
): boolean {
  const queue = fileControlQueue(settings.state, systemClock(options.signal).now);
  for (const command of commands) queue.add(command);
  try {
    const { store, clock, controlQueue, routes, close } = openView(settings, options, 'write');
    for (const route of routes) takeAtOnce({ route, store, clock, controlQueue, tell });
    close();
    return false;
  } catch (error) {
    if (error instanceof StateLocked) return true;
    throw error;
  }
}
