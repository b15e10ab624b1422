import { badRequestError } from '../../../errors.ts';

export interface Credential {
  readonly username: string;
  readonly password: string;
}

const USERNAME = 'x-access-token';

/** Parses tokens of the form `host=token` or `host=user:token`. Error messages do not contain the token. */
export function parseGitTokens(entries: readonly string[]): ReadonlyMap<string, Credential> {
  return new Map(
    entries.map((entry, index) => {
      const parsed = credentialOf(entry);
      if (parsed) return parsed;
      throw badRequestError(
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
