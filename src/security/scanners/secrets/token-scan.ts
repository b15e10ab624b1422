import { entropy } from './entropy.ts';
import type { SecretHit } from './hit.ts';
import { isExampleToken } from './placeholder.ts';
import { TOKEN_RULES, type TokenRule } from './token-rules.ts';

/** A token found in a text. Offsets are in UTF-16 units; `end` is exclusive. */
export interface TokenHit extends Pick<SecretHit, 'secret' | 'start' | 'end'> {
  readonly rule: TokenRule;
}

const KEYWORDS = [...new Set(TOKEN_RULES.flatMap(({ keywords }) => keywords))].sort(
  (a, b) => b.length - a.length,
);
/** Finds all keywords in one search. A search for each keyword would take seven times as long. */
const ANY = new RegExp(KEYWORDS.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
const RULES_OF = new Map(
  KEYWORDS.map((word) => {
    // The search prefers the longer keyword `glc_ey` to `glc_`, so a match gets the rules of both.
    const rules = TOKEN_RULES.filter(({ keywords }) => keywords.some((one) => word.startsWith(one)));
    return [word, rules] as const;
  }),
);
const MAX_HITS_PER_RULE = 200;

export function secretTokensIn(text: string): TokenHit[] {
  const rules = new Set<TokenRule>();
  for (const match of text.matchAll(ANY)) {
    for (const rule of RULES_OF.get(match[0]) ?? []) rules.add(rule);
    if (rules.size === TOKEN_RULES.length) break;
  }
  return TOKEN_RULES.filter((rule) => rules.has(rule)).flatMap((rule) => hitsOf(rule, text));
}

function hitsOf(rule: TokenRule, text: string): TokenHit[] {
  const hits: TokenHit[] = [];
  for (const match of text.matchAll(rule.pattern)) {
    const [whole, secret = whole] = match;
    if (rule.entropy !== undefined && entropy(secret) < rule.entropy) continue;
    if (rule.valid && !rule.valid(secret)) continue;
    if (isExampleToken(secret)) continue;
    const start = match.index + whole.indexOf(secret);
    hits.push({ rule: judged(rule, secret), secret, start, end: start + secret.length });
    if (hits.length === MAX_HITS_PER_RULE) break;
  }
  return hits;
}

function judged(rule: TokenRule, secret: string): TokenRule {
  const doubt = rule.doubt?.(secret);
  return doubt === undefined ? rule : { ...rule, severity: 'low', danger: `${rule.danger}. ${doubt}` };
}
