/** Returns true for a PostgreSQL URL. Refuses an unescaped password: messages might show part of it. */
export function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^/]/.test(text) || !URL.canParse(text)) return false;
  const { hash, pathname, search, searchParams } = new URL(text);
  return (
    hash === '' &&
    ![pathname, search].some((part) => part.includes('@')) &&
    [...searchParams.keys()].every((name) => /^\w+$/.test(name))
  );
}

/** Adds the host `localhost` to a URL with a parameter `host`, because `URL` rejects an empty host. */
export function addPostgresHost(text: string): string {
  return /[?&]host=/.test(text)
    ? text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?])/, '$1localhost')
    : text;
}

export const POSTGRES_ADDRESS_FORMAT =
  'postgres://user:password@host:port/database, with /, #, ? and @ in a password as %2F, %23, %3F and %40';
