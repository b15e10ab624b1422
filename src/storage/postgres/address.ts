import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { badRequestError } from '../../errors.ts';
import { describeFileError } from '../../lib/file-error.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import parameters from './address-parameters.json' with { type: 'json' };

const PARAMETERS: Readonly<Record<string, readonly string[] | null>> = parameters.taken;
const NAMES = Object.keys(PARAMETERS);
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** Parameters that are ignored. For example, Magpie sets timeouts and keepalive itself. */
const PASSED_OVER: readonly string[] = parameters.passedOver;

/** Converts an address for the driver. `sslmode` means the same as in libpq. Throws AppError `bad_request`. */
export function toDriverConfig(
  url: string,
): Pick<pg.PoolConfig, 'connectionString' | 'enableChannelBinding'> {
  const address = new URL(url);
  const { searchParams: given } = address;
  for (const name of PASSED_OVER) given.delete(name);
  for (const [name, value] of given) checkParameter(name, value);
  const binding = given.get('channel_binding') ?? 'disable';
  given.delete('channel_binding');
  // A Unix socket does not use TLS.
  if (given.get('host')?.startsWith('/')) for (const name of ['sslmode', ...FILES]) given.delete(name);
  else settleTrust(given, binding);
  if (given.has('sslmode')) given.set('uselibpqcompat', 'true');
  return { connectionString: address.href, enableChannelBinding: binding !== 'disable' };
}

function settleTrust(given: URLSearchParams, binding: string): void {
  const mode = given.get('sslmode');
  if (given.get('sslrootcert') === 'system') {
    if ((mode ?? 'verify-full') !== 'verify-full')
      throw refused(`has sslrootcert=system with sslmode=${mode}: it takes sslmode=verify-full`);
    given.delete('sslrootcert');
    given.set('sslmode', 'verify-full');
  }
  if (binding === 'require') {
    if (mode === 'disable') throw refused('has channel_binding=require with sslmode=disable: it takes TLS');
    // The certificate must be checked, because the driver has no channel binding to prove the server's identity.
    if (mode === null || mode === 'require') given.set('sslmode', 'verify-full');
  }
  if (mode === 'verify-ca' && !given.has('sslrootcert'))
    throw refused('has sslmode=verify-ca, which needs sslrootcert=<file>, the certificate of the authority');
}

function checkParameter(name: string, value: string): void {
  if (!NAMES.includes(name)) {
    throw refused(`has the parameter ${name}${didYouMean(name, NAMES)}: it takes ${NAMES.join(', ')}`);
  }
  const values = PARAMETERS[name];
  if (values && !values.includes(value)) {
    throw refused(`has ${name}=${value}${didYouMean(value, values)}: it takes ${values.join(', ')}`);
  }
  if (!FILES.includes(name) || (name === 'sslrootcert' && value === 'system')) return;
  try {
    readFileSync(value);
  } catch (error) {
    throw refused(`has ${name}=${value}, and that file cannot be read: ${describeFileError(error)}`);
  }
}

const refused = (why: string) => badRequestError(`the address of the database ${why}`);
