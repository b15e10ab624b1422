import { COMMAND_LOGIN } from './commands.ts';
import { CONNECTION_LOGIN } from './connection-strings.ts';
import { NAME_BASED_RULES, type SecretRule } from './hit.ts';
import { MASTER_KEY, NUGET_PASSWORD, PGPASS } from './known-files.ts';
import { SERVICE_KEY } from './service-keys.ts';
import { TOKEN_RULES } from './token-rules.ts';
import { URL_LOGIN } from './url-logins.ts';

export const SECRET_RULES: readonly SecretRule[] = [
  ...TOKEN_RULES,
  ...Object.values(NAME_BASED_RULES),
  SERVICE_KEY,
  URL_LOGIN,
  CONNECTION_LOGIN,
  COMMAND_LOGIN,
  NUGET_PASSWORD,
  PGPASS,
  MASTER_KEY,
];
