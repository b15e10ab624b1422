import type { SecretFileKind } from './file-kind.ts';
import { SECRET_RULES_BY_NAME, type SecretHit, type SecretRule } from './hit.ts';
import { isExampleLogin, isPlaceholder } from './placeholder.ts';
import { isRandom, isShortRandom } from './secret-strength.ts';

const LOGIN =
  /(?<=\b[a-z][a-z0-9+.-]{1,25}):\/\/([^\s:/?#'"`<>()]{0,100}):([^\s/'"`<>]{3,200})@([A-Za-z0-9[][A-Za-z0-9.:_[\]-]{1,200})/g;
const NOWHERE =
  /^(?:[\w.-]*\.)?(?:example|invalid|test|local)(?:\.(?:com|org|net|io))?(?::\d+)?$|^(?:host(?:name)?|server|domain|proxy|site|website|foo|bar|my\w*|your\w*|some\w*)(?:\.(?:com|org|net|io|local))?(?::\d+)?$/i;
/** Matches localhost and host names without a domain, such as `db`, which only a local network can reach. */
const NEAR = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|[\w-]+)(?::\d+)?$/i;

export function findUrlLogins(text: string, place: SecretFileKind, testing: boolean): SecretHit[] {
  if (place === 'made' || !text.includes('://')) return [];
  const shown = place === 'prose' || testing;
  const hits: SecretHit[] = [];
  for (const match of text.matchAll(LOGIN)) {
    const [whole, user = '', secret = '', host = ''] = match;
    if (isPlaceholder(secret) || isExampleLogin(secret) || NOWHERE.test(host)) continue;
    if (place === 'code' && (isExampleLogin(user) || isPlaceholder(user))) continue;
    const near = NEAR.test(host);
    const drawn = isRandom(secret) || (!near && !testing && isShortRandom(secret));
    if ((shown || (near && place === 'code')) && !drawn) continue;
    const start = match.index + whole.lastIndexOf(`:${secret}@`) + 1;
    hits.push(hitOf(SECRET_RULES_BY_NAME.urlLogin, secret, start, host, near));
  }
  return hits;
}

/** Matches a connection string in quotes: `"Server=db;User Id=sa;Password=..."`, `"jdbc:mysql://db/a?pwd=..."`. */
const CONNECTION =
  /["'`](?=jdbc:[a-z]|(?:server|data source|host|address|user id|uid|username|database|initial catalog) ?=)([^"'`\r\n]{10,600})/gi;
const PASSWORD = /(?<=[;?&] {0,2}(?:password|pwd) ?= ?)[^;&\s"'<>]{4,128}/i;
const HOST =
  /(?:^jdbc:[a-z:]{2,30}\/\/|(?:^|;) {0,2}(?:server|data source|host|address) ?= ?(?:tcp:)?)([^;,:/\\?\s]{0,200})/i;
const NEAR_SERVER = /^(?:|\.|localhost|127\.[\d.]+|0\.0\.0\.0|\(local(?:db)?\)|[\w-]+)$/i;
const MADE_UP = /(?:^|\.)(?:example|invalid|test|local)(?:\.(?:com|org|net|io))?$/i;
const LETTER_AND_DIGIT = /[a-z].{0,128}\d|\d.{0,128}[a-z]/i;

export function connectionLoginsIn(text: string, place: SecretFileKind, testing: boolean): SecretHit[] {
  if (place === 'made') return [];
  const hits: SecretHit[] = [];
  for (const { 0: whole, 1: connection = '', index } of text.matchAll(CONNECTION)) {
    const password = PASSWORD.exec(connection);
    const host = HOST.exec(connection)?.[1] ?? '';
    if (!password || MADE_UP.test(host)) continue;
    const [secret] = password;
    if (isPlaceholder(secret) || isExampleLogin(secret) || !LETTER_AND_DIGIT.test(secret)) continue;
    const shown = place === 'prose' || testing;
    if (shown && !isRandom(secret) && !(isShortRandom(secret) && !testing)) continue;
    const start = index + whole.length - connection.length + password.index;
    hits.push(hitOf(SECRET_RULES_BY_NAME.connectionLogin, secret, start, host, NEAR_SERVER.test(host)));
  }
  return hits;
}

function hitOf(rule: SecretRule, secret: string, start: number, host: string, isNear: boolean): SecretHit {
  const end = start + secret.length;
  return { ...rule, severity: isNear ? 'low' : rule.severity, secret, start, end, random: false, name: host };
}
