import type { AgentMatch } from '../rules.ts';
import { behaviourMatches } from './behaviours.ts';

const MAX_COMMAND_CHARACTERS = 4000;

/** Returns what a command in settings does that works against its user. */
export function commandMatches(command: string, line: number): AgentMatch[] {
  const flat = command.slice(0, MAX_COMMAND_CHARACTERS).replace(/[\r\n]/g, ' ');
  return behaviourMatches(flat, 'command', line);
}
