import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { addRest } from './rest.ts';

export function addPause(program: Command, context: CommandContext): void {
  addRest(program, context, 'pause');
}
