import { globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNTIME_FILES } from './runtime-files.ts';

/**
 * Run by `npm ci` and `npm install` in a checkout (`dependencies`: of a script `prepare` npm warns who installs the package from a
 * file): takes away what packages bring along and no command of ours reads, over half a gigabyte. npm never looks for it, and the
 * next `npm ci` brings and trims it again.
 */

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Below node_modules, as globs. */
const UNREAD: readonly string[] = [
  // Headers of Node.js: node-gyp asks for those of the Node.js that runs npm.
  'node/node_modules/node-*/include',
  '**/*.{js,mjs,cjs,ts,mts,cts,css}.map',
  // Each core is there twice, once with the WebAssembly written as text. In Node.js tesseract.js 7 takes none of the cores for LSTM alone.
  'tesseract.js-core/*.wasm.js',
  'tesseract.js-core/*-lstm.*',
  'tesseract.js-core/tesseract-core-simd.*',
  '@tesseract.js-data/eng/4.0.0',
  // Types of packages that only other packages import, and what some were made and tested with.
  '@octokit/**/*.d.ts',
  'es-toolkit/**/*.d.{ts,mts}',
  '@smithy/core/dist-types',
  '@opentelemetry/{otlp-transformer,sdk-logs,semantic-conventions}/**/*.d.ts',
  'pdfkit/.yarn',
  '{@mixmark-io/domino,bintrees}/test',
  '{es-toolkit,openai,rxjs}/src',
  // What browsers can do, by feature and by country: asked by queries that no configuration here has.
  'caniuse-lite/data/{features,regions}',
];

/** What a folder has for other systems, processors or uses: all of it goes but what is named. */
const CHOICES: readonly { readonly glob: string; readonly kept: readonly string[] }[] = [
  { glob: 'onnxruntime-node/bin/napi-v*/*', kept: [process.platform] },
  { glob: `onnxruntime-node/bin/napi-v*/${process.platform}/*`, kept: [process.arch] },
  { glob: 'onnxruntime-web/dist/*', kept: RUNTIME_FILES },
];

function remove(path: string): void {
  rmSync(join(modules, path), { recursive: true, force: true });
}

for (const path of globSync([...UNREAD], { cwd: modules })) remove(path);
for (const { glob, kept } of CHOICES) {
  for (const path of globSync(glob, { cwd: modules })) if (!kept.includes(basename(path))) remove(path);
}
// One judge of regular expressions needs Java, which is asked only where there is none for this system.
const [judge] = globSync(`recheck-${process.platform}-*/recheck*`, { cwd: modules });
if (judge) remove('recheck-jar');
