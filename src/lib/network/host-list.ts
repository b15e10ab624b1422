import { domainToASCII } from 'node:url';

const MAX_HOSTS = 10;
const HOST = /^(?:[a-z0-9-]{1,63}\.){1,20}[a-z0-9-]{1,63}$/;

/** Parses comma-separated hosts; a host may be a URL or `*.example.org`. Undefined if an entry has a path or is not a host. */
export function readHosts(written: string): string[] | undefined {
  const hosts = written.split(',', MAX_HOSTS + 1).map(hostOf);
  const read = hosts.filter((host) => host !== undefined);
  return read.length === hosts.length && hosts.length <= MAX_HOSTS ? [...new Set(read)] : undefined;
}

function hostOf(written: string): string | undefined {
  const bare = written
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/^\*\./, '');
  // Rejects an entry with a path. Accepting it would silently drop the path.
  const host = /^[\p{L}\p{N}.-]*$/u.test(bare) && bare.includes('.') ? domainToASCII(bare) : '';
  return HOST.test(host) ? host.replace(/^www\.(?=[^.]+\.)/, '') : undefined;
}
