import { readFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import { fileTrouble } from '../../lib/file-trouble.ts';
import { didYouMean } from '../../lib/likely.ts';

/** The parameters that an address may have, and the values of those that have few. */
const PARAMETERS: Readonly<Record<string, readonly string[] | undefined>> = {
  sslmode: ['disable', 'require', 'verify-ca', 'verify-full'],
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  application_name: undefined,
  options: undefined,
  host: undefined,
};
const NAMES = Object.keys(PARAMETERS);
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * An address as the driver takes it, with `sslmode` in libpq's meaning: by itself the driver takes `require` for `verify-full`, and passes
 * over what it does not know. AppError `bad_request` names a parameter that cannot be used.
 */
export function driverAddress(url: string): string {
  const { searchParams } = new URL(url);
  for (const [name, value] of searchParams) checkParameter(name, value);
  const mode = searchParams.get('sslmode');
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw refused('has sslmode=verify-ca, which needs sslrootcert=<file>, the certificate of the authority');
  }
  return mode === null ? url : `${url}&uselibpqcompat=true`;
}

function checkParameter(name: string, value: string): void {
  if (!NAMES.includes(name)) {
    throw refused(`has the parameter ${name}${didYouMean(name, NAMES)}: it takes ${NAMES.join(', ')}`);
  }
  const values = PARAMETERS[name];
  if (values && !values.includes(value)) {
    throw refused(`has ${name}=${value}${didYouMean(value, values)}: it takes ${values.join(', ')}`);
  }
  if (!FILES.includes(name)) return;
  try {
    readFileSync(value);
  } catch (error) {
    throw refused(`has ${name}=${value}, and that file cannot be read: ${fileTrouble(error)}`);
  }
}

const refused = (why: string) => new AppError('bad_request', `the address of the database ${why}`);
