import { SECRET_RULES_BY_NAME, type SecretRule } from './hit.ts';
import { TOKEN_RULES } from './token-rules.ts';

export const SECRET_RULES: readonly SecretRule[] = [...TOKEN_RULES, ...Object.values(SECRET_RULES_BY_NAME)];
