import { NAMED_RULES, type SecretRule } from './hit.ts';
import { MASTER_KEY, PGPASS } from './known-files.ts';
import { TOKEN_RULES } from './token-rules.ts';
import { URL_LOGIN } from './url-logins.ts';

/** Every rule of the secrets scanner. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...TOKEN_RULES,
  ...Object.values(NAMED_RULES),
  URL_LOGIN,
  PGPASS,
  MASTER_KEY,
];
