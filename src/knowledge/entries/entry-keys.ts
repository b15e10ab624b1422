import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { normalizeName } from '../../lib/collection.ts';
import { quoteName } from '../../lib/text/quote-name.ts';

export const MAX_KEY_CHARS = 500;
/** Pattern of Magpie's access keys, which are secret. An access key must not be used as an entry's key by mistake. */
const ACCESS_KEY = /^magpie_[0-9A-Za-z]{38}$/;

/** Makes an entry's key from a path or an address. A name that is not a valid key is replaced by its SHA-256. */
export function buildEntryKey(name: string): string {
  if (name.length <= MAX_KEY_CHARS && normalizeName(name) === name) return name;
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

/** Normalizes a key. Upper and lower case differ. Throws AppError `bad_request` for an invalid key. */
export function checkKey(key: string): string {
  const kept = normalizeName(key);
  if (ACCESS_KEY.test(kept)) {
    throw new AppError(
      'bad_request',
      'key looks like an access key, which belongs in the header Authorization: key takes a name of your own, such as favourite-colour',
    );
  }
  if (kept !== '' && kept.length <= MAX_KEY_CHARS) return kept;
  throw new AppError(
    'bad_request',
    `key is ${quoteName(key)}: it takes a name of 1 to ${MAX_KEY_CHARS} characters, such as favourite-colour`,
  );
}
