import { createHash } from 'node:crypto';
import type { Severity } from '../../lib/severity.ts';
import type { RawFinding } from '../findings/finding.ts';
import type { UnmaskedFinding } from '../findings/hide.ts';
import { maskSecret } from '../findings/mask.ts';
import type { FileScanner, ScannedFile } from '../scans/scanner.ts';
import { createLineIndex, type LineIndex } from '../trees/lines.ts';
import { isTestOrExamplePath } from '../trees/test-paths.ts';
import { credentialAssignments } from './secrets/assignments.ts';
import { commandLoginsIn } from './secrets/commands.ts';
import { type SecretFileKind, secretFileKindOf } from './secrets/file-kind.ts';
import { nameBasedRuleFor, SECRET_RULES_BY_NAME, type SecretHit, type SecretRule } from './secrets/hit.ts';
import { strengthOf } from './secrets/secret-strength.ts';
import { serviceKeysIn } from './secrets/service-keys.ts';
import { secretTokensIn } from './secrets/token-scan.ts';
import { connectionLoginsIn, findUrlLogins } from './secrets/url-logins.ts';
import { isUsablePrivateKey } from './secrets/usable-key.ts';

const BINARY =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|avi|mov|webm|ogg|flac|wav|sqlite3?|db|pyc|bin|dat|iso|onnx|npy|parquet)$/i;
const GENERATED_LINE_CHARACTERS = 500;
const CONTEXT_CHARACTERS = 400;
const PRIVATE_KEY = 'secrets/private-key';
const MAX_FINDINGS = 300;
/** Minimum length for masking one line of a multi-line secret. Shorter lines reveal little. */
const MIN_PART_CHARACTERS = 8;

/** Creates a scanner that recognises credentials by format, checksum and name. Makes no network requests. */
export const createSecretsScanner = (): FileScanner => ({
  name: 'secrets',
  past: true,
  masks: true,
  large: true,
  wants: (path) => !BINARY.test(path),
  scan: (file) => scan(file),
});

function scan({ path, text }: ScannedFile): UnmaskedFinding[] {
  const place = secretFileKindOf(path);
  const testing = isTestOrExamplePath(path);
  const hits: SecretHit[] = [];
  const taken: [start: number, end: number][] = [];
  const add = (hit: SecretHit) => {
    if (taken.some(([start, end]) => hit.start < end && start < hit.end)) return;
    taken.push([hit.start, hit.end]);
    hits.push(hit);
  };
  if (place !== 'made') {
    for (const hit of secretTokensIn(text)) {
      if (hit.rule.id === 'secrets/password-hash' && (testing || place === 'prose')) continue;
      add({ ...hit.rule, secret: hit.secret, start: hit.start, end: hit.end, random: true });
    }
  }
  for (const hit of fileSecrets(path, text)) add(hit);
  if (place !== 'made') for (const hit of serviceKeysIn(text)) add(hit);
  if (place !== 'made' && !testing) for (const hit of commandLoginsIn(text)) add(hit);
  for (const hit of findUrlLogins(text, place, testing)) add(hit);
  for (const hit of connectionLoginsIn(text, place, testing)) add(hit);
  for (const hit of assigned(path, text, place)) add(hit);
  const lines = createLineIndex(text);
  // An excerpt is a single line, so each line of a multi-line secret is masked too.
  const secrets = hits.flatMap(({ secret, end }) => [
    secret,
    ...continuedIn(text, end),
    ...secret.split(/[\r\n]+/).filter((part) => part.length >= MIN_PART_CHARACTERS),
  ]);
  return onePerLine(hits, lines)
    .slice(0, MAX_FINDINGS)
    .map((hit, at) => ({
      ...finding(path, text, lines, hit, secrets, testing),
      hides: at === 0 ? secrets : undefined,
    }));
}

function continuedIn(text: string, end: number): string[] {
  const parts: string[] = [];
  const next = /["'`]\s{0,20}(?:\+|\.{1,2}|\\\n)?\s{0,20}["'`]([^"'`\n]{3,200})(?=["'`])/y;
  for (next.lastIndex = end; parts.length < 10; ) {
    const part = next.exec(text)?.[1];
    if (part === undefined) break;
    parts.push(part);
  }
  return parts;
}

function assigned(path: string, text: string, place: SecretFileKind): SecretHit[] {
  const lineCount = text.split('\n', 2000).length;
  if (place === 'made' || text.length / lineCount > GENERATED_LINE_CHARACTERS) return [];
  const bare =
    place === 'prose' ||
    (place === 'settings' && !/\.(?:php|py|rb|[cm]?[jt]s|java|cs|go|pl|groovy|kt|scala)$/i.test(path));
  const blank = bare && /(?:^|\/)[._]?[\w-]*(?:rc|netrc|authinfo|\.conf|fetchmail)$/i.test(path);
  const isCode = place === 'prose' ? createCodeBlockTest(text) : undefined;
  return credentialAssignments(text, { bare, blank }).flatMap((assignment): SecretHit[] => {
    if (!assignment.quoted && isCode?.(assignment.start)) return [];
    const around = text.slice(
      Math.max(0, assignment.start - CONTEXT_CHARACTERS),
      assignment.end + CONTEXT_CHARACTERS,
    );
    const strength = strengthOf(assignment, { path, place, around });
    if (!strength) return [];
    const { start, end, value: secret, name, kind } = assignment;
    const rule = nameBasedRuleFor(kind, strength);
    const severity = strength === 'chosen' && standsTwice(secret, around) ? 'low' : rule.severity;
    return [{ ...rule, severity, secret, start, end, random: strength === 'random', name }];
  });
}

/** True if a password is repeated nearby, for example as the user name. It is then probably a placeholder. */
function standsTwice(value: string, around: string): boolean {
  let times = 0;
  for (let at = around.indexOf(value); at >= 0 && times < 2; at = around.indexOf(value, at + value.length)) {
    const [before, after] = [around[at - 1] ?? '', around[at + value.length] ?? ''];
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) times++;
  }
  return times > 1;
}

function onePerLine(hits: readonly SecretHit[], lines: LineIndex): SecretHit[] {
  const byLine = new Map<number, SecretHit>();
  for (const hit of hits) {
    const line = lines.lineAt(hit.start);
    const there = byLine.get(line);
    if (!there || (hit.random && !there.random)) byLine.set(line, hit);
  }
  return [...byLine.entries()].sort(([a], [b]) => a - b).map(([, hit]) => hit);
}

function finding(
  path: string,
  text: string,
  lines: LineIndex,
  hit: SecretHit,
  secrets: readonly string[],
  testing: boolean,
): RawFinding {
  const line = lines.lineAt(hit.start);
  const endLine = lines.lineAt(hit.end - 1);
  // A private key in a document may be a sample, so it is reported as real only if it is usable.
  const noted = hit.id === PRIVATE_KEY && secretFileKindOf(path) === 'prose';
  const whole = noted && !testing && isUsablePrivateKey(text, hit.start);
  const shown = noted && !whole;
  const where = testing || shown ? ' It stands among tests or examples: it may be made up.' : '';
  return {
    id: hit.id,
    severity: testing || shown ? lowered(hit) : whole ? 'high' : hit.severity,
    title: hit.title,
    description: `${hit.title} in the repository. ${hit.danger}.${where}`,
    fix: `${hit.revoke}; keep it in the environment or a secret manager, and take it out of the history.`,
    path,
    line,
    endLine: endLine > line ? endLine : undefined,
    cwe: [hit.cwe],
    excerpt: maskSecret(lines.text(line), ...secrets),
    identity: identityOf(hit),
  };
}

const lowered = ({ id, severity }: SecretHit): Severity =>
  severity === 'critical' && id !== PRIVATE_KEY ? 'medium' : 'low';

const identityOf = ({ secret, random, name = '' }: SecretHit): string =>
  random ? createHash('sha256').update(secret).digest('hex') : `${name} ${secret.length}`;

const FENCE = /^[ \t]{0,12}(`{3,10}|~{3,10})[ \t]{0,9}(?:\{?\.)?([\w+#-]{0,30})/gm;
const CODE =
  /^(?:[cm]?[jt]sx?|javascript|typescript|node|python\d?|py\d?|pycon|ipython|java|kotlin|kt|scala|groovy|go|golang|rust|rs|ruby|rb|php|c#|cs|csharp|c|c\+\+|cpp|swift|dart|elixir|ex|erlang|clojure|haskell|hs|lua|perl|r|julia|objective-c|objc|vue|svelte|fsharp|zig|nim|solidity)$/i;

function createCodeBlockTest(text: string): (at: number) => boolean {
  const blocks: [start: number, end: number][] = [];
  let open: { readonly fence: string; readonly start: number; readonly isCode: boolean } | undefined;
  for (const { 0: whole, 1: fence = '', 2: language = '', index } of text.matchAll(FENCE)) {
    if (!open) open = { fence, start: index + whole.length, isCode: CODE.test(language) };
    else if (language === '' && fence.startsWith(open.fence)) {
      if (open.isCode) blocks.push([open.start, index]);
      open = undefined;
    }
  }
  if (open?.isCode) blocks.push([open.start, text.length]);
  return (at) => blocks.some(([start, end]) => start <= at && at < end);
}

const { pgpass, masterKey, nugetPassword } = SECRET_RULES_BY_NAME;

function fileSecrets(path: string, text: string): SecretHit[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\.?pgpass(?:\.conf)?$/.test(name))
    return lines(pgpass, text, /^(?!#)(?:[^:\n\r\u2028\u2029]*:){4}([^\n\r]{1,200})/gm);
  if (/^(?:master|production|staging)\.key$/.test(name))
    return lines(masterKey, text, /^([0-9a-f]{32}|[0-9a-f]{64})$/gm);
  if (/\.config$/i.test(name))
    return lines(
      nugetPassword,
      text,
      /<add\s{1,9}key="(?:ClearText)?Password"\s{1,9}value="([^"<>%\r\n]{3,300})(?="\s{0,9}\/?>)/gi,
    );
  return [];
}

const lines = (rule: SecretRule, text: string, pattern: RegExp): SecretHit[] =>
  [...text.matchAll(pattern)].map((match) => {
    const [whole, secret = ''] = match;
    const start = match.index + whole.length - secret.length;
    return { ...rule, secret, start, end: start + secret.length, random: rule === masterKey, name: rule.id };
  });
