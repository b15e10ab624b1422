import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import type { Ecosystem } from '../scanners/dependencies/ecosystem.ts';
import { versionOrderOf } from '../scanners/dependencies/versions/order.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';
import type { Finding, FindingPatch } from './finding.ts';
import { hideTokens } from './hide.ts';
import written from './patches.json' with { type: 'json' };

interface TextChange {
  readonly from: string;
  readonly to: string;
  readonly unless?: string;
  readonly beside?: string;
  readonly ending?: string;
}

/** Text replacements by rule id. `patches.json` contains only fixes that need no human judgement. */
const CHANGES: ReadonlyMap<string, readonly TextChange[]> = new Map(Object.entries(written));
const PINS: readonly (readonly [file: RegExp, between: string])[] = [
  [/\.txt$/, '=='],
  [/\.github\/workflows\/[^/]+\.ya?ml$/, '@v'],
];
const [MAX_FILES, MAX_BYTES, MAX_LINE] = [500, 1_000_000, 500];

export async function withPatches(findings: readonly Finding[], tree: FileTree): Promise<Finding[]> {
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const texts = new Map<string, readonly string[]>();
  // A line with a secret gets no fix, because a fix contains the whole line.
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
    // False if the excerpt contains a masked secret. Such a line gets no fix, which would show the secret.
    const isShown = line?.includes(finding.excerpt ?? '') === true;
    const patch = isShown ? patchOf(line, changes) : undefined;
    if (patch) taken.add(place);
    patched.push(patch ? { ...finding, patch } : finding);
    await pause();
  }
  return patched;
}

const placeOf = ({ path, line }: Finding): string => `${line} ${path}`;

function newestFixes(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const finding of findings) {
    const { package: used, fixedIn, suppressed } = finding;
    if (!used || fixedIn === undefined || suppressed) continue;
    const known = newest.get(placeOf(finding));
    if (known === undefined || versionOrderOf(used.ecosystem as Ecosystem)(fixedIn, known) > 0)
      newest.set(placeOf(finding), fixedIn);
  }
  return newest;
}

function changesFor(finding: Finding, versions: ReadonlyMap<string, string>): readonly TextChange[] {
  const { id, path, package: used } = finding;
  if (!used) return (CHANGES.get(id) ?? []).filter(({ ending = '' }) => path.endsWith(ending));
  const fixedIn = versions.get(placeOf(finding));
  const pin = PINS.find(([file]) => file.test(path));
  if (fixedIn === undefined || !pin) return [];
  // A `--hash` is of the old version, so its line gets no fix. After `\`, the next line may have a hash.
  return [{ from: `${pin[1]}${used.version}`, to: `${pin[1]}${fixedIn}`, unless: '--hash' }].filter(
    () => !/\\\s{0,9}$/.test(finding.excerpt ?? ''),
  );
}

async function linesOf(file: TreeFile, tree: FileTree, texts: Map<string, readonly string[]>) {
  const known = texts.get(file.path);
  if (known || texts.size >= MAX_FILES || file.bytes > MAX_BYTES) return known;
  const lines = Buffer.from(await tree.read(file))
    .toString('utf8')
    .split('\n');
  texts.set(file.path, lines);
  return lines;
}

/** Applies the first change whose `from` occurs exactly once. Returns undefined for a line with a secret. */
function patchOf(before: string, changes: readonly TextChange[]): FindingPatch | undefined {
  if (before.length > MAX_LINE || hideTokens(before) !== before) return undefined;
  for (const { from, to, unless, beside = '' } of changes) {
    const at = before.indexOf(from);
    if (
      at < 0 ||
      before.includes(from, at + 1) ||
      (unless !== undefined && before.includes(unless)) ||
      !before.includes(beside)
    )
      continue;
    return { before, after: `${before.slice(0, at)}${to}${before.slice(at + from.length)}` };
  }
  return undefined;
}
