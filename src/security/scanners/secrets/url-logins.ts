import type { SecretHit, SecretRule } from './hit.ts';
import type { Place } from './place.ts';
import { isPlaceholder } from './placeholder.ts';

export const URL_LOGIN: SecretRule = {
  id: 'secrets/url-login',
  title: 'Login in an address',
  severity: 'high',
  cwe: 'CWE-798',
  danger: 'Anyone who reads this file can log in with it',
  revoke: 'Change the password',
};

/** User and password before the host: `scheme://user:password@host`. */
const LOGIN =
  /(?<=\b[a-z][a-z0-9+.-]{1,25}):\/\/([^\s:/?#'"`<>()]{0,100}):([^\s/'"`<>]{3,200})@([A-Za-z0-9[][A-Za-z0-9.:_[\]-]{1,200})/g;
/** Words that examples are written with. */
const TAUGHT =
  /^(?:u|user(?:name)?|usr|me|admin|root|pass(?:word|wd|phrase)?|pwd|pw|p|secret|token|foo|bar|baz|login|name|guest|postgres|mysql|mongo|redis|rabbitmq|test|key|api_?key|access_?token|x-?oauth-?basic|s3cr3t|secr3t|hunter2|tiger|p(?:a|@)ssw0?o?rd\d?|abc\d*|123\d*|[a-z])$/i;
const NOWHERE =
  /^(?:[\w.-]*\.)?(?:example|test|invalid|localhost|local|host(?:name)?|server|domain|proxy|mongo(?:db)?|postgres|redis|db|mysql|rabbitmq|site|website|foo|bar|my\w*|your\w*|some\w*|internal)(?:\.(?:com|org|net|io|local))?(?::\d+)?$|^127\.|^0\.0\.0\.0|^\[::1\]|^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./i;

/** Logins in addresses; documents and tests are full of made-up ones, so there they do not count. */
export function loginsIn(text: string, place: Place, testing: boolean): SecretHit[] {
  if (place === 'made' || place === 'prose' || testing || !text.includes('://')) return [];
  const hits: SecretHit[] = [];
  for (const match of text.matchAll(LOGIN)) {
    const [whole, user = '', secret = '', host = ''] = match;
    if (isPlaceholder(secret) || TAUGHT.test(secret) || NOWHERE.test(host)) continue;
    if (place === 'code' && (TAUGHT.test(user) || isPlaceholder(user) || !/\.|:\d/.test(host))) continue;
    const start = match.index + whole.lastIndexOf(`:${secret}@`) + 1;
    hits.push({ ...URL_LOGIN, secret, start, end: start + secret.length, random: false, name: host });
  }
  return hits;
}
