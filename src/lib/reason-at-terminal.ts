import { asAppError } from '../errors.ts';
import { redactSecrets } from './secrets/redact.ts';

/** Returns an error's message for the terminal. An unexpected error's message has its cause, because commands write no log. */
export function reasonAtTerminal(thrown: unknown): string {
  const error = asAppError(thrown);
  if (error.code !== 'internal' || thrown === error || !(thrown instanceof Error)) return error.message;
  return `something went wrong inside Magpie: ${redactSecrets(thrown.message)}`;
}
