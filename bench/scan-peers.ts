import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN_SAMPLES } from '../test/security/secrets/token-samples.ts';
import { printTable } from './figures.ts';
import { riskyLines } from './scan-leaky-repo.ts';
import { type Kind, programsOf, type Ran } from './scan-programs.ts';

/**
 * Our scanners beside other programs, each as a process of its own on the same files in the same run:
 * `npm run bench -- scan peers <place>...`. A place is `samples` (made-up tokens of ours), a file of JSON lines with `text` and `leak` (one secret
 * or stand-in each), leaky-repo, BenchmarkPython, or `secrets:`, `source:` or `infrastructure:` and any folder.
 * Programs that are not installed are named.
 */
export async function comparePeers(places: readonly string[]): Promise<void> {
  for (const place of places) {
    const [, kind, folder] = /^(secrets|source|infrastructure):(.*)$/.exec(place) ?? [];
    if (kind !== undefined && folder !== undefined) compareCounts(kind as Kind, folder);
    else if (place === 'samples') compareSamples('made-up tokens of ours', ownSamples());
    else if (existsSync(join(place, '.leaky-meta'))) compareLeaky(place);
    else if (existsSync(join(place, 'testcode'))) compareBenchmark(place);
    else compareSamples(place, linesOf(place));
  }
}

interface Sample {
  readonly text: string;
  readonly leak: boolean;
}

/** Files in which each sample is tried: the same text in code, settings, notes and documentation. */
const ENDINGS = ['js', 'yml', 'txt', 'md'] as const;
type Row = readonly string[];

/** Runs every program of a kind, and makes a row of what each says. Ratios are of the processor's time, ours in the first row. */
function rowsOf(kind: Kind, folder: string, words: (ran: Ran) => Row, columns: number): Row[] {
  let ours = 0;
  return programsOf(kind).map((program): Row => {
    const why = program.absent();
    if (why !== undefined) return [program.name, ...Array.from({ length: columns }, () => '-'), why];
    try {
      const ran = program.run(folder, kind);
      if (program.name === 'magpie') ours = ran.processor;
      const ratio = ours > 0 ? (ran.processor / ours).toFixed(2) : '-';
      return [program.name, ...words(ran), `${ran.processor.toFixed(1)} s, ${ratio}`];
    } catch (thrown) {
      return [
        program.name,
        ...Array.from({ length: columns }, () => '-'),
        `failed: ${(thrown as Error).message.slice(0, 60)}`,
      ];
    }
  });
}

function compareCounts(kind: Kind, folder: string): void {
  const words = ({ found }: Ran) =>
    [
      found.length,
      new Set(found.map(({ path }) => path)).size,
      new Set(found.map(({ path, line }) => `${path}:${line}`)).size,
    ].map(String);
  process.stdout.write(`\n${kind} of ${folder}\n`);
  printTable(['program', 'findings', 'files', 'lines', 'processor, of ours'], rowsOf(kind, folder, words, 3));
}

function ownSamples(): Sample[] {
  return Object.values(TOKEN_SAMPLES).flatMap(({ found, not }) => [
    { text: found, leak: true },
    { text: not, leak: false },
  ]);
}

function linesOf(file: string): Sample[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sample & { readonly path?: string })
    .filter(({ path = '' }) => path === '');
}

/** Each sample in a file of its own: found where the program says anything of the file. */
function compareSamples(name: string, samples: readonly Sample[]): void {
  const leaks = samples.filter(({ leak }) => leak).length;
  process.stdout.write(
    `\nsecrets: ${name}, ${leaks} true and ${samples.length - leaks} false, a file each\n`,
  );
  for (const ending of ENDINGS) {
    const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
    try {
      for (const [at, { text }] of samples.entries()) {
        const part = join(folder, `part${Math.floor(at / 500)}`);
        mkdirSync(part, { recursive: true });
        writeFileSync(join(part, `a${at}.${ending}`), `${text}\n`);
      }
      const words = ({ found }: Ran) => {
        const said = new Set(found.map(({ path }) => Number(/a(\d+)\.\w+$/.exec(path)?.[1])));
        const hits = samples.filter(({ leak }, at) => leak && said.has(at)).length;
        const wrong = samples.filter(({ leak }, at) => !leak && said.has(at)).length;
        return [
          (hits / Math.max(1, leaks)).toFixed(3),
          String(wrong),
          (hits / Math.max(1, hits + wrong)).toFixed(3),
        ];
      };
      process.stdout.write(`.${ending}\n`);
      printTable(
        ['program', 'recall', 'false', 'precision', 'processor, of ours'],
        rowsOf('secrets', folder, words, 3),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function compareLeaky(folder: string): void {
  const labels = riskyLines(folder);
  const risky = [...labels.values()].reduce((sum, { risk }) => sum + risk, 0);
  const words = ({ found }: Ran) => {
    const counts = Map.groupBy(
      found.filter(({ path }) => !/^\.(?:git|leaky-meta)(?:\/|$)/.test(path)),
      ({ path }) => path,
    );
    let [right, besides, wrong] = [0, 0, 0];
    for (const [path, all] of counts) {
      const { risk = 0, tells = 0 } = labels.get(path) ?? {};
      right += Math.min(all.length, risk);
      besides += Math.min(Math.max(0, all.length - risk), tells);
      wrong += Math.max(0, all.length - risk - tells);
    }
    return [right, besides, wrong].map(String);
  };
  process.stdout.write(`\nsecrets of leaky-repo, ${risky} risky lines\n`);
  printTable(
    ['program', 'found', 'informative', 'wrong', 'processor, of ours'],
    rowsOf('secrets', folder, words, 3),
  );
}

/** The mean over categories of the rate of true cases found less that of safe ones: cases by the CWE that they are about. */
function compareBenchmark(folder: string): void {
  const table = readdirSync(folder).find((name) => /^expectedresults-.*\.csv$/.test(name)) ?? '';
  const cases = readFileSync(join(folder, table), 'utf8')
    .split('\n')
    .map((line) => line.trim().split(','))
    .filter(([test = '', category]) => !test.startsWith('#') && category !== undefined);
  const categories = [...new Set(cases.map(([, category = '']) => category))].sort();
  const words = ({ found }: Ran) => {
    const said = new Map<string, Set<number>>();
    for (const { path, cwe } of found) {
      const test = /(BenchmarkTest\d+)\.py$/.exec(path)?.[1] ?? '';
      said.set(test, new Set([...(said.get(test) ?? []), ...cwe]));
    }
    const scores = categories.map((name) =>
      youden(
        cases.filter(([, category]) => category === name),
        said,
      ),
    );
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    return [mean.toFixed(3), ...scores.map((one) => one.toFixed(2))];
  };
  process.stdout.write(`\nsource: OWASP BenchmarkPython, ${cases.length} cases, Youden by category\n`);
  printTable(
    ['program', 'mean', ...categories, 'processor, of ours'],
    rowsOf('source', join(folder, 'testcode'), words, categories.length + 1),
  );
}

function youden(
  cases: readonly (readonly string[])[],
  said: ReadonlyMap<string, ReadonlySet<number>>,
): number {
  const rate = (real: string) => {
    const all = cases.filter(([, , is]) => is === real);
    const hits = all.filter(([test = '', , , cwe]) => said.get(test)?.has(Number(cwe))).length;
    return hits / Math.max(1, all.length);
  };
  return rate('true') - rate('false');
}
