import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { nameLine } from '../../lib/collection.ts';
import { quoted } from '../../lib/text/quoted.ts';

export const MAX_KEY_CHARS = 500;

/** The form of access keys: one that is given by mistake is neither kept nor shown. */
const ACCESS_KEY = /^magpie_[0-9A-Za-z]{38}$/;

/**
 * A key that is made of a path or an address: as it is where that is a key, else its SHA-256, so that two that differ in blanks or in
 * how accents are written, or are too long, do not become one.
 */
export function keyOf(name: string): string {
  if (name.length <= MAX_KEY_CHARS && nameLine(name) === name) return name;
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

/** As it is kept; upper and lower case are different keys, since paths and ids are. AppError `bad_request`. */
export function checkKey(key: string): string {
  const kept = nameLine(key);
  if (ACCESS_KEY.test(kept)) {
    throw new AppError(
      'bad_request',
      'key looks like an access key, which belongs in the header Authorization: key takes a name of your own, such as favourite-colour',
    );
  }
  if (kept !== '' && kept.length <= MAX_KEY_CHARS) return kept;
  throw new AppError(
    'bad_request',
    `key is ${quoted(key)}: it takes a name of 1 to ${MAX_KEY_CHARS} characters, such as favourite-colour`,
  );
}
