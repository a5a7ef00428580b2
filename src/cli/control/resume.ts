import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { addRest } from './rest.ts';

export function addResume(program: Command, context: CommandContext): void {
  addRest(program, context, 'resume');
}
