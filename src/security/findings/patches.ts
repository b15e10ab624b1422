import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import type { Ecosystem } from '../scanners/dependencies/ecosystem.ts';
import { orderOf } from '../scanners/dependencies/versions/order.ts';
import type { Tree, TreeFile } from '../trees/tree.ts';
import type { Finding, Patch } from './finding.ts';
import { hideTokens } from './hide.ts';

interface Change {
  readonly from: string;
  readonly to: string;
  readonly unless?: string;
}

const off = (name: string, how: readonly [string, string]): Change => ({
  from: `${name}${how[0]}`,
  to: `${name}${how[1]}`,
});
const toFalse = ['True', 'False'] as const;
const toTrue = ['False', 'True'] as const;

/** Text replacements that fix a problem, by rule id. Contains only fixes that need no human judgement. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'source/unsafe-loader': [
    { from: 'yaml.load(', to: 'yaml.safe_load(', unless: 'Loader' },
    { from: 'yaml.load_all(', to: 'yaml.safe_load_all(', unless: 'Loader' },
    ...['Loader=yaml.Loader', 'Loader=yaml.UnsafeLoader', 'Loader=yaml.FullLoader'].map((from) => ({
      from,
      to: 'Loader=yaml.SafeLoader',
    })),
  ],
  'source/tls-verification-off': [
    off('verify=', toTrue),
    off('check_hostname = ', toTrue),
    { from: 'rejectUnauthorized: false', to: 'rejectUnauthorized: true' },
    { from: 'InsecureSkipVerify: true', to: 'InsecureSkipVerify: false' },
    { from: 'CURLOPT_SSL_VERIFYPEER, false', to: 'CURLOPT_SSL_VERIFYPEER, true' },
    { from: 'OpenSSL::SSL::VERIFY_NONE', to: 'OpenSSL::SSL::VERIFY_PEER' },
    { from: 'ssl.CERT_NONE', to: 'ssl.CERT_REQUIRED' },
    { from: 'ssl._create_unverified_context', to: 'ssl.create_default_context' },
  ],
  'source/debug-on': [off('debug=', toFalse), off('DEBUG = ', toFalse)],
  'source/insecure-cookie': [
    off('secure=', toTrue),
    off('SESSION_COOKIE_SECURE = ', toTrue),
    off('CSRF_COOKIE_SECURE = ', toTrue),
    { from: 'secure: false', to: 'secure: true' },
  ],
  'infrastructure/workflow-unsafe-commands': [{ from: ': true', to: ': false' }],
  'infrastructure/workflow-always-true': [{ from: 'if: |', to: 'if: |-', unless: '|-' }],
  'infrastructure/dependabot-execution': [{ from: ': allow', to: ': deny' }],
  'infrastructure/precommit-plain-url': [{ from: 'http://', to: 'https://' }],
  'source/cookie-readable-by-script': [
    off('httponly=', toTrue),
    off('SESSION_COOKIE_HTTPONLY = ', toTrue),
    { from: 'httpOnly: false', to: 'httpOnly: true' },
  ],
};
/** Files that pin package versions, with the text between a package's name and its version. */
const PINS: readonly (readonly [file: RegExp, between: string])[] = [
  [/\.txt$/, '=='],
  [/\.github\/workflows\/[^/]+\.ya?ml$/, '@v'],
];
/** Maximum number of files to fix, of bytes in a file, and of characters in a line. */
const [MAX_FILES, MAX_BYTES, MAX_LINE] = [500, 1_000_000, 500];

/** Adds fixes to findings that are not suppressed. Each line gets at most one fix. */
export async function withPatches(findings: readonly Finding[], tree: Tree): Promise<Finding[]> {
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const texts = new Map<string, readonly string[]>();
  // Lines with a secret get no fix, because a fix shows the line.
  const taken = new Set(findings.filter(({ id }) => id.startsWith('secrets/')).map(placeOf));
  const versions = newestFixes(findings);
  const pause = createYieldPoint();
  const patched: Finding[] = [];
  for (const finding of findings) {
    const place = placeOf(finding);
    const changes =
      finding.suppressed || finding.commit || taken.has(place) ? [] : changesFor(finding, versions);
    const file = changes.length > 0 ? files.get(finding.path) : undefined;
    const line = file && (await linesOf(file, tree, texts))?.[(finding.line ?? 0) - 1];
    // If the excerpt was masked, there is no fix, because a fix would show the original line.
    const isShown = line?.includes(finding.excerpt ?? '') === true;
    const patch = isShown ? patchOf(line, changes) : undefined;
    if (patch) taken.add(place);
    patched.push(patch ? { ...finding, patch } : finding);
    await pause();
  }
  return patched;
}

function placeOf({ path, line }: Finding): string {
  return `${line} ${path}`;
}

function newestFixes(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const finding of findings) {
    const { package: used, fixedIn, suppressed } = finding;
    if (!used || fixedIn === undefined || suppressed) continue;
    const known = newest.get(placeOf(finding));
    if (known === undefined || orderOf(used.ecosystem as Ecosystem)(fixedIn, known) > 0)
      newest.set(placeOf(finding), fixedIn);
  }
  return newest;
}

function changesFor(finding: Finding, versions: ReadonlyMap<string, string>): readonly Change[] {
  const { id, path, package: used } = finding;
  if (!used) return Object.hasOwn(CHANGES, id) ? (CHANGES[id] ?? []) : [];
  const fixedIn = versions.get(placeOf(finding));
  const pin = PINS.find(([file]) => file.test(path));
  if (fixedIn === undefined || !pin) return [];
  return [{ from: `${pin[1]}${used.version}`, to: `${pin[1]}${fixedIn}` }];
}

async function linesOf(
  file: TreeFile,
  tree: Tree,
  texts: Map<string, readonly string[]>,
): Promise<readonly string[] | undefined> {
  const known = texts.get(file.path);
  if (known || texts.size >= MAX_FILES || file.bytes > MAX_BYTES) return known;
  const lines = Buffer.from(await tree.read(file))
    .toString('utf8')
    .split('\n');
  texts.set(file.path, lines);
  return lines;
}

/** Returns the first fix whose text occurs exactly once in the line. Returns undefined if the line may contain a token. */
function patchOf(before: string, changes: readonly Change[]): Patch | undefined {
  if (before.length > MAX_LINE || hideTokens(before) !== before) return undefined;
  for (const { from, to, unless } of changes) {
    const at = before.indexOf(from);
    if (at < 0 || before.includes(from, at + 1) || (unless !== undefined && before.includes(unless)))
      continue;
    return { before, after: `${before.slice(0, at)}${to}${before.slice(at + from.length)}` };
  }
  return undefined;
}
