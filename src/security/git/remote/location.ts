import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppError, badRequestError } from '../../../errors.ts';
import { hideTokens } from '../../findings/hide.ts';

export interface RemoteLocation {
  readonly kind: 'remote';
  readonly protocol: 'https' | 'http' | 'ssh' | 'git';
  readonly host: string;
  readonly port: number;
  /** User name for ssh. `user` is undefined for other protocols. */
  readonly user?: string;
  /** Path with a leading slash and URL escapes such as `%20`. In `git@host:path`, the path is not changed. */
  readonly path: string;
  /** The URL for error messages: without user name and secret, at most 200 characters. */
  readonly shown: string;
}

export interface FolderLocation {
  readonly kind: 'folder';
  readonly path: string;
}

const PORTS = { https: 443, http: 80, ssh: 22, git: 9418 } as const;
const MAX_CHARACTERS = 2000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** Matches `git@host:path`. Does not match a single letter before the colon, which is a Windows drive. */
const SCP = /^(?:([^@/:\s]+)@)?(\[[0-9a-f:.]+\]|[^@/:\s]{2,}):(?!\/\/)(.+)$/i;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?)$/i;
const USER = /^[a-z0-9_][a-z0-9._-]*$/i;

/** Parses a repository's URL or path without network access. Throws AppError `bad_request`. */
export function parseLocation(repository: string): RemoteLocation | FolderLocation {
  const text = repository.trim();
  if (text === '') throw bad('is empty');
  if (text.length > MAX_CHARACTERS) throw bad(`is over ${MAX_CHARACTERS} characters`);
  if (CONTROL.test(text)) throw bad('holds control characters');
  if (text.startsWith('-')) throw bad('begins with a hyphen');
  const scheme = SCHEME.exec(text)?.[1]
    ?.toLowerCase()
    .replace(/^git\+|\+git$/, '');
  if (scheme === 'file') return folder(text);
  if (scheme !== undefined) return remote(scheme, text);
  if (/^[a-z][a-z0-9+.-]*::/i.test(text)) {
    throw bad(
      `begins with ${JSON.stringify(text.slice(0, text.indexOf('::') + 2))}, a git remote helper, which is not supported`,
    );
  }
  const [, user, host, path] = isAbsolute(text) || /^\.{1,2}(\/|$)/.test(text) ? [] : (SCP.exec(text) ?? []);
  if (host === undefined || path === undefined) return { kind: 'folder', path: text };
  if (/^[^/]*@/.test(path)) throw bad(LOGIN);
  return checked({ protocol: 'ssh', host, port: PORTS.ssh, path, user });
}

const LOGIN =
  'holds a user name or password: leave it out (the operator sets MAGPIE_GIT_TOKENS for private ones)';

function remote(scheme: string, text: string): RemoteLocation {
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh' && scheme !== 'git') {
    throw bad(`has the scheme ${hideTokens(scheme).slice(0, 40)}:`);
  }
  // Parsing as an http URL normalises the host: lower case, punycode, usual form of IP addresses.
  const address = text.replace(SCHEME, 'http://');
  if (!URL.canParse(address)) throw bad('is not a valid URL');
  const url = new URL(address);
  if (url.password || (url.username && scheme !== 'ssh')) throw bad(LOGIN);
  if (url.search || url.hash) throw bad('has a query or a fragment: give the branch as branch');
  const given = /^http:\/\/[^/]*:(\d+)(?:\/|$)/.exec(address)?.[1];
  const port = given === undefined ? PORTS[scheme] : Number(given);
  const user = decode(url.username);
  return checked({ protocol: scheme, host: url.hostname, port, path: url.pathname, user: user || undefined });
}

function checked(parts: Omit<RemoteLocation, 'kind' | 'shown'>): RemoteLocation {
  const { protocol, host, port, user, path } = parts;
  if (!HOST.test(host)) throw bad('names no host');
  if (user !== undefined && !USER.test(user))
    throw bad('has a user name with characters that are not accepted');
  const plain = decode(path);
  if (CONTROL.test(plain)) throw bad('holds control characters');
  if (/^\/?-/.test(plain)) throw bad('has a path that begins with a hyphen');
  if (path === '/' || path === '') throw bad('names a host, but no repository on it');
  const colon = port === PORTS[protocol] ? '' : `:${port}`;
  const shown = hideTokens(`${protocol}://${host}${colon}/${path.replace(/^\//, '')}`);
  return { ...parts, kind: 'remote', shown: shown.length > 200 ? `${shown.slice(0, 197)}...` : shown };
}

export function urlOf(at: RemoteLocation, host = at.host, port = at.port): string {
  if (at.protocol === 'ssh') {
    const user = at.user === undefined ? '' : `${at.user}@`;
    // A path in an `ssh://` URL is absolute. A path in `host:path` can be relative to the user's home folder.
    return at.path.startsWith('/') ? `ssh://${user}${host}${at.path}` : `${user}${host}:${at.path}`;
  }
  return `${at.protocol}://${host}${port === PORTS[at.protocol] ? '' : `:${port}`}${at.path}`;
}

function folder(text: string): FolderLocation {
  try {
    return { kind: 'folder', path: fileURLToPath(text) };
  } catch {
    throw bad('is a file: URL that names no folder of this machine');
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw bad('has a % that is not followed by two hexadecimal digits');
  }
}

const bad = (problem: string): AppError =>
  badRequestError(
    `repository ${problem}: it takes a git URL (https, ssh, git, or git@host:path), or the path of a folder`,
  );
