import { linesOf } from '../../../trees/lines.ts';
import type { AgentMatch } from '../rules.ts';

/** Where credentials of different owners lie. A program or a text that needs one of them has no use for three. */
const STORES = [
  /\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.ssh[/\\]["', ]{0,4}(?:id_|\*)/,
  /\.aws[/\\"', ]{1,4}(?:credentials|config)\b/,
  /\.config[/\\"', ]{1,4}gcloud\b|\bapplication_default_credentials\b/,
  /\.azure[/\\"', ]{1,4}\w/,
  /\.kube[/\\"', ]{1,4}config\b/,
  /\.docker[/\\"', ]{1,4}config\.json\b/,
  /\.(?:npmrc|yarnrc|pypirc)\b/,
  /\.netrc\b|\.git-credentials\b|\.config[/\\"', ]{1,4}(?:gh|hub)\b/,
  /\.gnupg\b|--export-secret-keys\b/,
  /\bLogin Data\b|\blogins\.json\b|\bkey4\.db\b|\bcookies\.sqlite\b/,
  /\bKeychains?[/\\]|\bkeyrings?[/\\]|\bdump-keychain\b/,
  /\.kdbx\b|\b(?:Bitwarden|LastPass|Dashlane|1Password)[/\\]/,
  /\bwallet\.dat\b|\.(?:electrum|ethereum)\b|\bconfig[/\\]solana\b/,
  /\.(?:bash|zsh)_history\b/,
  /\bcredentials\.json\b|\bsecrets\.ya?ml\b/,
];
/** Matches what guards the places, or a text that speaks about them. */
const GUARD =
  /\b(?:den(?:y|ied)|block(?:s|ed|list)?|forbid\w{0,5}|exclud\w{1,3}|redact\w{0,3}|protect\w{0,3}|restrict\w{0,3}|never|do not|don['’]t|must not|sandbox\w{0,3}|detect\w{0,3}|rotate|revoke|mask(?:s|ed)?|leak\w{0,3})\b|\.gitignore/i;
const MIN_STORES = 3;
const MAX_LINES = 40;

/** Finds places that name credentials of at least three owners within 40 lines, and no word of a guard near them. */
export function storeMatches(text: string, firstLine = 1): AgentMatch[] {
  const lines = linesOf(text);
  const hits = STORES.flatMap((store, at) => {
    const match = store.exec(text);
    return match ? [{ at, line: lines.lineAt(match.index), what: match[0] }] : [];
  }).sort((a, b) => a.line - b.line);
  const first = hits.find(({ line }, at) => {
    const last = hits[at + MIN_STORES - 1];
    return last !== undefined && last.line - line <= MAX_LINES;
  });
  if (!first) return [];
  const around = text.split('\n').slice(Math.max(0, first.line - 6), first.line + MAX_LINES);
  if (around.some((one) => GUARD.test(one.slice(0, 400)))) return [];
  return [
    { rule: 'stolen-credentials', line: first.line + firstLine - 1, what: first.what, severity: 'medium' },
  ];
}
