import type { Settings } from '../config/config.ts';
import type { ControlCommand } from '../model/control.ts';
import { systemClock } from '../runtime/clock.ts';
import { fileControlQueue } from '../store/control-queue.ts';
import { StateLocked } from '../store/trouble.ts';
import { takePauses } from '../sync/commands.ts';
import { openView, type ViewOptions } from './view.ts';

/**
 * Queues commands. Whether a running bridge takes them; otherwise those that only change the state are carried out
 * here.
 */
export function leaveToBridge(settings: Settings, commands: readonly ControlCommand[], options: ViewOptions): boolean {
  const queue = fileControlQueue(settings.state, systemClock(options.signal).now);
  for (const command of commands) queue.add(command);
  try {
    const { store, clock, controlQueue, close } = openView(settings, options, 'write');
    for (const { route: name } of commands) takePauses({ name, store, clock, controlQueue });
    close();
    return false;
  } catch (error) {
    if (error instanceof StateLocked) return true;
    throw error;
  }
}
