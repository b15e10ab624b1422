import { domainToASCII } from 'node:url';

/** Most hosts of a list. */
const MAX_HOSTS = 10;
const HOST = /^(?:[a-z0-9-]{1,63}\.){1,20}[a-z0-9-]{1,63}$/;

/**
 * Hosts by commas, as people and programs write them: `https://docs.example.org/` and `*.example.org` are hosts too, since a host stands for
 * what is below it; `www.` says nothing. Each once. Undefined where one is none, or names a page of it.
 */
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
  // What follows a host would be dropped in silence.
  const host = /^[\p{L}\p{N}.-]*$/u.test(bare) && bare.includes('.') ? domainToASCII(bare) : '';
  return HOST.test(host) ? host.replace(/^www\.(?=[^.]+\.)/, '') : undefined;
}
