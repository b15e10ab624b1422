import { AppError } from '../errors.ts';
import { credentialHeader } from '../lib/network/credential-header.ts';
import type { Platform } from './platform.ts';
import type { CredentialDescription, Credentials } from './types.ts';

export function describeCredentials({ title, rights, team }: Platform): CredentialDescription {
  return { title, key: rights, team };
}

export function createMissingCredentialsError(
  { title, key, team }: CredentialDescription,
  order: Credentials,
): AppError {
  const missing = [
    ...(order.key === undefined ? [['autoplatformapikey', key] as const] : []),
    ...(order.team === undefined ? [['autoplatformteamid', team] as const] : []),
  ];
  const names = missing.map(([name]) => name);
  const headers = names.map(credentialHeader);
  return new AppError(
    'bad_request',
    `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} required on ${title}: ` +
      `${missing.map(([, what]) => what).join(', and ')}. Over HTTP send ${headers.join(' and ')} as headers, or ` +
      'as query parameters, which proxies may log; an MCP client that can open pages asks its user on one; the ' +
      'command line asks at a terminal, or reads standard input for a flag that is -; the command line and stdio also read ' +
      'MAGPIE_AUTOMATION_KEY and MAGPIE_AUTOMATION_TEAM. ' +
      'dryRun=true shows the document without them',
  );
}
