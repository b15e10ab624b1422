import { domainToASCII } from 'node:url';

const MAX_HOSTS = 10;
const HOST = /^(?:[a-z0-9-]{1,63}\.){1,20}[a-z0-9-]{1,63}$/;

/** Parses hosts, URLs or patterns like `*.example.org`, separated by commas. Returns undefined if invalid. */
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
  // A URL with a path is refused, because a list of hosts would ignore the path.
  const host = /^[\p{L}\p{N}.-]*$/u.test(bare) && bare.includes('.') ? domainToASCII(bare) : '';
  return HOST.test(host) ? host.replace(/^www\.(?=[^.]+\.)/, '') : undefined;
}
