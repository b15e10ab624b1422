/** Returns true if the URL is escaped correctly. A wrong one could show its password as the database name. */
export function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^/]/.test(text) || !URL.canParse(text)) return false;
  const { hash, pathname, search, searchParams } = new URL(text);
  return (
    hash === '' &&
    ![pathname, search].some((part) => part.includes('@')) &&
    [...searchParams.keys()].every((name) => /^\w+$/.test(name))
  );
}

/** Adds `localhost` to a URL with its host in a parameter, because `URL` cannot parse an empty host. */
export function addPostgresHost(text: string): string {
  return /[?&]host=/.test(text)
    ? text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?])/, '$1localhost')
    : text;
}

export const POSTGRES_ADDRESS_FORMAT =
  'postgres://user:password@host:port/database, with /, #, ? and @ in a password as %2F, %23, %3F and %40';
