import { AppError } from '../../errors.ts';
import { isTimeout } from '../../lib/concurrency/deadline.ts';
import {
  fetchError,
  networkFailure,
  pickMostInformativeError,
  UNUSABLE_ANSWER,
} from '../../lib/network/network-failure.ts';

export interface ConnectionFailure {
  readonly reason: string;
  /** Error code of Node or OpenSSL, or ''. `ETIMEDOUT`: no connection in time. `LATE`: no answer in time. */
  readonly code: string;
  readonly address?: string;
}

/** The server is up, but requires a client certificate, which Magpie does not have. */
export const CLIENT_CERTIFICATE_REQUIRED = 'CLIENT_CERTIFICATE';

export class ClientCertificateError extends Error {
  readonly code = CLIENT_CERTIFICATE_REQUIRED;
  constructor(cause: unknown) {
    super('the server asks for a client certificate', { cause });
  }
}

export function isConnectionFailure<T>(answer: T | ConnectionFailure): answer is ConnectionFailure {
  return typeof answer === 'object' && answer !== null && 'reason' in answer;
}

const PRIVATE_ADDRESS = 'has no public address: private ones are watched only from the inventory';

export function isPrivateAddressFailure({ reason }: ConnectionFailure): boolean {
  return reason === PRIVATE_ADDRESS;
}

export function toConnectionFailure(error: unknown, address: string, timeoutMs: number): ConnectionFailure {
  if (isTimeout(error)) return { reason: `did not answer within ${timeoutMs / 1000} s`, code: 'LATE' };
  const url = new URL(URL.canParse(address) ? address : 'https://host.invalid/');
  const caller = new AbortController().signal;
  const known = fetchError(error, { url, caller, deadline: caller, timeoutMs });
  const telling = tellingOf(error);
  if (error instanceof ClientCertificateError) return { reason: 'asks for a client certificate', ...telling };
  if (known instanceof AppError && known.code === 'forbidden') return { reason: PRIVATE_ADDRESS, ...telling };
  const failure = known === error ? undefined : networkFailure(error);
  if (failure) return { reason: failure.what, ...telling };
  const words = known.message.replace(`: ${UNUSABLE_ANSWER.advice}`, '');
  const isNamed = words.startsWith(`${url.host} `);
  return { reason: isNamed ? words.slice(url.host.length + 1) : words, ...telling };
}

function tellingOf(error: unknown): Pick<ConnectionFailure, 'code' | 'address'> {
  const { code = '', address } = pickMostInformativeError(error) as { code?: string; address?: string };
  return { code: String(code), ...(typeof address === 'string' && { address }) };
}
