import { asAppError } from '../errors.ts';
import { redactSecrets } from './secrets/redact.ts';

/** Returns a message for the terminal. Commands write no log, so it has an unexpected error's cause. */
export function reasonAtTerminal(thrown: unknown): string {
  const error = asAppError(thrown);
  if (error.code !== 'internal' || thrown === error || !(thrown instanceof Error)) return error.message;
  return `something went wrong inside Magpie: ${redactSecrets(thrown.message)}`;
}
