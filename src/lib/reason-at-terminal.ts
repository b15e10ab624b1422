import { asAppError } from '../errors.ts';
import { redactSecrets } from './secrets/redact.ts';

export function reasonAtTerminal(thrown: unknown): string {
  const error = asAppError(thrown);
  if (error.code !== 'internal' || thrown === error || !(thrown instanceof Error)) return error.message;
  return `something went wrong inside Magpie: ${redactSecrets(thrown.message)}`;
}
