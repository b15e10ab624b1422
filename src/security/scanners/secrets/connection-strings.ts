import { isExampleLogin } from './example-logins.ts';
import type { SecretFileKind } from './file-kind.ts';
import { SECRET_RULES_BY_NAME, type SecretHit } from './hit.ts';
import { isPlaceholder } from './placeholder.ts';
import { isRandom, isShortRandom } from './secret-strength.ts';

/** Matches a quoted connection string: `"Server=db;User Id=sa;Password=...;"`, `"jdbc:mysql://db/shop?password=..."`. */
const CONNECTION =
  /["'`](?=jdbc:[a-z]|(?:server|data source|host|address|user id|uid|username|database|initial catalog) ?=)([^"'`\r\n]{10,600})/gi;
const PASSWORD = /(?<=[;?&] {0,2}(?:password|pwd) ?= ?)[^;&\s"'<>]{4,128}/i;
const HOST =
  /(?:^jdbc:[a-z:]{2,30}\/\/|(?:^|;) {0,2}(?:server|data source|host|address) ?= ?(?:tcp:)?)([^;,:/\\?\s]{0,200})/i;
const NEAR = /^(?:|\.|localhost|127\.[\d.]+|0\.0\.0\.0|\(local(?:db)?\)|[\w-]+)$/i;
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
    const severity = NEAR.test(host) ? 'low' : SECRET_RULES_BY_NAME.connectionLogin.severity;
    const end = start + secret.length;
    hits.push({
      ...SECRET_RULES_BY_NAME.connectionLogin,
      severity,
      secret,
      start,
      end,
      random: false,
      name: host,
    });
  }
  return hits;
}
