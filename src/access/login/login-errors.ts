import { AppError, asAppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { createProviderUnavailableError, listErrorMessages } from './openid-provider.ts';

type Library = typeof import('openid-client');

const PASSING = ['temporarily_unavailable', 'server_error'];
const REFUSED = [
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
];
const AGAIN = 'sign in again';

/** Returns the error for the person. The provider's text is only logged, because an attacker may have written it. */
export function loginError(error: unknown, library: Library, host: string, log: Logger): AppError {
  const code = codeOf(error, library);
  log.info(
    { reasons: listErrorMessages(error), code, about: descriptionOf(error, library) },
    'a login has failed',
  );
  if (code === undefined) return answerError(error, host);
  if (PASSING.includes(code)) return createProviderUnavailableError(host, error);
  if (REFUSED.includes(code)) {
    return new AppError(
      'forbidden',
      `${host} did not let you in, or you declined: ${AGAIN}, or ask who runs ${host} for access`,
    );
  }
  if (code === 'invalid_grant') return invalid(host, error);
  log.warn({ code, host }, 'the provider of logins refuses this server as its client: compare its settings');
  return new AppError(
    'upstream',
    `${host} refuses this server as its client (${code}): ask who runs this server to compare the client's settings there with MAGPIE_OIDC_CLIENT_ID, MAGPIE_OIDC_CLIENT_SECRET and MAGPIE_OIDC_SCOPES`,
  );
}

function codeOf(error: unknown, library: Library): string | undefined {
  if (error instanceof library.WWWAuthenticateChallengeError) return 'invalid_client';
  if (error instanceof library.AuthorizationResponseError || error instanceof library.ResponseBodyError) {
    return /^[\w.-]{1,60}$/.test(error.error) ? error.error : 'an unknown error';
  }
  return undefined;
}

function descriptionOf(error: unknown, library: Library): string | undefined {
  if (error instanceof library.AuthorizationResponseError || error instanceof library.ResponseBodyError) {
    return error.error_description?.slice(0, 500);
  }
  return undefined;
}

function answerError(error: unknown, host: string): AppError {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AppError)
      return at.code === 'cancelled' ? at : createProviderUnavailableError(host, error);
    if (at.name === 'AbortError') return asAppError(at);
    if (at.name === 'TimeoutError') return createProviderUnavailableError(host, error);
    if (at.cause instanceof Response && at.cause.status >= 429)
      return createProviderUnavailableError(host, error);
  }
  return invalid(host, error);
}

function invalid(host: string, cause: unknown): AppError {
  return new AppError(
    'unauthenticated',
    `the answer of ${host} is not valid for this login, or was used before: ${AGAIN}`,
    { cause },
  );
}
