import { cpSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { PARTS } from '../../src/lib/parts.ts';
import { grammars } from '../../src/security/scanners/source/grammars.ts';

/** Loaded by `require` where they are first needed, or by a worker of their own, which no trace of imports shows. */
const LOADED_LATE = [
  'pino',
  'prom-client',
  '@vscode/tree-sitter-wasm',
  'tesseract.js/src/worker-script/node/index.js',
];

/** Data of packages that is read by its path. */
const READ = [
  '@embedpdf/pdfium/dist/pdfium.wasm',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  ...['', '-simd', '-relaxedsimd'].flatMap((kind) =>
    ['js', 'wasm'].map((ending) => `tesseract.js-core/tesseract-core${kind}-lstm.${ending}`),
  ),
  '@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm',
  ...grammars.map(({ parser }) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${parser}.wasm`),
];

/** The folder of a package. */
const PACKAGE = /node_modules\/(?:@[^/]+\/)?[^/@]+$/;

/** What a copy of a package has besides its code, in whatever case: whose it is, and on which terms. */
const TERMS = /^(?:package\.json|(?:licen[cs]e|notice|copying|authors)[^/]*)$/i;

/**
 * Copies to `dist/node_modules` what the code in `dist/` reaches of the packages in `node_modules`, with the manifest and the
 * license of each. The parts that a user adds are left out.
 *
 * @throws {Error} when a file that is read by its path is not there: then its package has changed.
 */
export async function copyPackages(root: string): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const ours = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  const entries = [
    ...ours.filter((name) => name.endsWith('.js')).map((name) => join(root, 'dist', name)),
    ...LOADED_LATE.map((name) => resolve(name)),
  ];
  const left = new RegExp(
    `node_modules/(?:${Object.values(PARTS)
      .map(({ name }) => name)
      .join('|')}|onnxruntime-web)/`,
  );
  const { fileList } = await nodeFileTrace(entries, { base: root, ignore: (path) => left.test(path) });
  const reached = [...fileList].filter((path) => path.startsWith('node_modules/'));
  const read = READ.map((path) => `node_modules/${path}`);
  const copied = new Set([
    ...reached,
    ...read,
    ...[...reached, ...read].flatMap((path) => termsOf(root, path)),
  ]);
  for (const path of copied)
    if (statSync(join(root, path)).isFile())
      cpSync(join(root, path), join(root, 'dist', path), { dereference: true });
}

/** The manifest and the license of the package that a file is of. */
function termsOf(root: string, path: string): readonly string[] {
  let folder = dirname(join(root, path));
  while (!PACKAGE.test(folder)) folder = dirname(folder);
  return readdirSync(folder)
    .filter((name) => TERMS.test(name))
    .map((name) => relative(root, join(folder, name)));
}
