import type { Command } from 'commander';
import type { Desk } from './desk.ts';

export function addExplain(_program: Command, _desk: Desk): void {}
