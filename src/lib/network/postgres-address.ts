/**
 * Whether a text is an address of PostgreSQL whose parts are where they belong. Of one with a password such as `12/34#`, which should be
 * written as `12%2F34%23`, the rest of the password would be taken for the name of the database, and shown.
 */
export function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^/]/.test(text) || !URL.canParse(text)) return false;
  const { hash, pathname, search, searchParams } = new URL(text);
  return (
    hash === '' &&
    ![pathname, search].some((part) => part.includes('@')) &&
    [...searchParams.keys()].every((name) => /^\w+$/.test(name))
  );
}

/** An address without a host, which a parameter names, as a URL that has one: `postgres:///kb?host=/var/run/postgresql`. */
export function withHost(text: string): string {
  return /[?&]host=/.test(text)
    ? text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?])/, '$1localhost')
    : text;
}

/** What stands beside it in errors. */
export const POSTGRES_ADDRESS =
  'postgres://user:password@host:port/database, with /, #, ? and @ in a password as %2F, %23, %3F and %40';
