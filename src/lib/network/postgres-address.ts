/**
 * True if the text is a PostgreSQL URL whose parts are correctly escaped. A password such as `12/34#` must be written as
 * `12%2F34%23`; otherwise its rest would be taken for the name of the database and shown.
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

/** Adds a host to a URL that has it only in a parameter (`postgres:///kb?host=/var/run/postgresql`), so that URL can parse it. */
export function withHost(text: string): string {
  return /[?&]host=/.test(text)
    ? text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?])/, '$1localhost')
    : text;
}

/** Expected form of a PostgreSQL address, for error messages. */
export const POSTGRES_ADDRESS =
  'postgres://user:password@host:port/database, with /, #, ? and @ in a password as %2F, %23, %3F and %40';
