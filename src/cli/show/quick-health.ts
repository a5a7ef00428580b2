import { parseArgs } from 'node:util';
import { readHttpAddress } from '../../config/http-address.ts';
import { openTerminal, type Surroundings } from '../terminal.ts';
import { askHealth } from './ask-health.ts';

/**
 * `bugferry health` with almost nothing loaded: containers run it twice a minute, and loading the whole program would
 * cost ten times as much. Returns the exit code; null if the full command is needed for help, a wrong option or a
 * problem in the configuration.
 */
export async function quickHealth(args: readonly string[], surroundings: Surroundings): Promise<number | null> {
  const options = optionsIn(args);
  const address = options === null ? null : readHttpAddress(options.config);
  if (options === null || address === null) return null;
  const isWell = await askHealth(openTerminal(surroundings), surroundings.signal, address, options);
  return isWell ? 0 : 4;
}

function optionsIn(
  args: readonly string[],
): { readonly config: string; readonly ready?: true; readonly json?: true } | null {
  const flag = { type: 'boolean' } as const;
  const options = {
    config: { type: 'string', default: 'config/bridge.yaml' },
    ready: flag,
    json: flag,
    verbose: flag,
  } as const;
  try {
    const { config, ready, json } = parseArgs({ args: [...args], options }).values;
    return { config, ...(ready ? { ready } : {}), ...(json ? { json } : {}) };
  } catch {
    return null;
  }
}
