import { AppError } from '../../../errors.ts';

/** What Magpie shows a host to be let into private repositories. */
export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** GitHub asks this name of an installation's tokens; it and the others take any name with a user's token. */
const USERNAME = 'x-access-token';

/** Credentials by `host` or `host:port`, out of `host=token` or `host=user:token`; AppError `bad_request` for an entry without shape, which it does not show. */
export function parseTokens(entries: readonly string[]): ReadonlyMap<string, Credential> {
  return new Map(
    entries.map((entry, index) => {
      const parsed = credentialOf(entry);
      if (parsed) return parsed;
      throw new AppError(
        'bad_request',
        `entry ${index + 1} of the git tokens is not host=token: it takes host=token or host=user:token`,
      );
    }),
  );
}

function credentialOf(entry: string): [string, Credential] | undefined {
  const [, host, username = USERNAME, password] =
    /^([a-z0-9._-]+(?::\d{1,5})?)=(?:([\w.+@-]{1,100}):)?([!-~]{1,500})$/i.exec(entry) ?? [];
  return host && password ? [host.toLowerCase(), { username, password }] : undefined;
}
