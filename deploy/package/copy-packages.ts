import { cpSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse, relative } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { OPTIONAL_PACKAGES } from '../../src/lib/optional-packages.ts';
import { grammars } from '../../src/security/scanners/source/grammars.ts';
import { manifestOf } from './terms.ts';

/**
 * Packages that stay packages, since they read files beside their code or start it as a worker, or that are loaded when they
 * are first needed; with the files that they read by their path.
 */
export const COPIED: Readonly<Record<string, readonly string[]>> = {
  pino: [],
  'prom-client': [],
  pdfkit: [],
  'onnxruntime-common': [],
  'playwright-core': [],
  '@embedpdf/pdfium': ['dist/pdfium.wasm'],
  '@vscode/tree-sitter-wasm': [
    'wasm/tree-sitter.wasm',
    ...grammars.map(({ parser }) => `wasm/tree-sitter-${parser}.wasm`),
  ],
  'tesseract.js': ['src/worker-script/node/index.js'],
  // Not those for LSTM alone: in Node.js tesseract.js 7 takes a truth value for the engine's mode, and loads these whatever it is.
  // A Node.js of version 24 that has SIMD has relaxed SIMD too; the plain core is for processors that have neither.
  'tesseract.js-core': ['', '-relaxedsimd'].flatMap((kind) =>
    ['js', 'wasm'].map((ending) => `tesseract-core${kind}.${ending}`),
  ),
  '@tesseract.js-data/eng': ['4.0.0_best_int/eng.traineddata.gz'],
};

/** Packages of which files are read by their path, and no code is run. */
const FILES: typeof COPIED = { 'chardetng-wasm': ['dist/chardetng_wasm_bg.wasm'] };

/**
 * What the trace finds and Magpie does not run: parts that a user adds, the other cores and models of Tesseract, and the form for
 * `require` of packages that Magpie imports.
 */
const LEFT = new RegExp(
  `node_modules/(?:${Object.values(OPTIONAL_PACKAGES)
    .map(({ name }) => name)
    .join(
      '|',
    )})/|tesseract-core(?:[-a-z]*-lstm|-simd)\\.|/4\\.0\\.0/eng|/pdfkit/js/pdfkit\\.js|/fontkit/dist/main\\.cjs|/pdfium/dist/index\\.cjs`,
);

/**
 * Copies to `dist/node_modules` what is reached of the packages in `COPIED`, with the manifest of each.
 *
 * @returns the files, below the root.
 * @throws {Error} when a file that is read by its path is not there: then its package has changed.
 */
export async function copyPackages(root: string): Promise<readonly string[]> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const read = Object.entries({ ...COPIED, ...FILES }).flatMap(([name, paths]) =>
    paths.map((path) => `node_modules/${name}/${path}`),
  );
  // Packages may have one form for `import` and one for `require`.
  const imports = join(root, 'dist/imports.js');
  writeFileSync(
    imports,
    Object.keys(COPIED)
      .map((name) => `import '${name}';\n`)
      .join(''),
  );
  const entries = [
    imports,
    ...Object.keys(COPIED)
      .map((name) => resolve(name))
      .filter((path) => !LEFT.test(path)),
    ...read.filter((path) => path.endsWith('.js')).map((path) => join(root, path)),
  ];
  // The folder of packages may be a link: what is traced lies where it leads.
  const modules = realpathSync(join(root, 'node_modules'));
  const base = parse(root).root;
  const { fileList } = await nodeFileTrace(entries, { base, ignore: (path) => LEFT.test(path) });
  rmSync(imports);
  const reached = [...fileList]
    .map((path) => relative(modules, join(base, path)))
    .filter((path) => !path.startsWith('..'))
    .map((path) => `node_modules/${path}`)
    .concat(read);
  const copied = [...new Set([...reached, ...reached.map(manifestOf)])];
  for (const path of copied)
    if (statSync(join(root, path)).isFile())
      cpSync(join(root, path), join(root, 'dist', path), { dereference: true });
  return copied;
}
