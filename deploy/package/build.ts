import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { ROOT } from '../release/programs.ts';
import { copyPackages } from './copy-packages.ts';

/**
 * `npm run build` makes `dist/`, all that the npm package ships: our code as JavaScript, the data that it reads, and of the
 * packages that it imports the files that it reaches (`dist/node_modules`), so that an installation is one download.
 */
const DATA = [
  'knowledge/embedders/all-minilm-l6-v2-int8',
  'browse/readers/cmaps',
  'browse/readers/html/content/model.bin',
  'compliance/mappings',
  'security/scanners/source/rules',
];
/** Of the runtime in WebAssembly: the package has 139 MB, and Node.js needs three files. */
const RUNTIME = ['ort.node.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'];

rmSync(`${ROOT}/dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${ROOT}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
for (const path of DATA)
  cpSync(`${ROOT}/src/${path}`, `${ROOT}/dist/src/${path}`, {
    recursive: true,
    filter: (name) => !name.endsWith('.ts'),
  });
for (const file of RUNTIME)
  cpSync(
    `${ROOT}/node_modules/onnxruntime-web/dist/${file}`,
    `${ROOT}/dist/src/knowledge/embedders/onnxruntime-web/${file}`,
  );
await copyPackages(ROOT);
