import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { addPauseOrResume } from './pause-or-resume.ts';

export function addResume(program: Command, context: CommandContext): void {
  addPauseOrResume(program, context, 'resume');
}
