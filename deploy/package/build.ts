import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ROOT } from '../release/programs.ts';
import { bundle } from './bundle.ts';
import { COPIED, copyPackages } from './copy-packages.ts';
import { RUNTIME_FILES } from './runtime-files.ts';
import { writeTerms } from './terms.ts';

/**
 * `npm run build` makes `dist/`, all that the npm package ships: our code with the packages that it imports, in a few files of
 * JavaScript; the data that it reads; and in `dist/node_modules` what is reached of packages that read files of their own. An
 * installation is one download, of few files.
 */
const DATA = [
  'automation/platforms/n8n-program.js',
  'automation/reading/frame-tags.json',
  'automation/reading/signs.json',
  'automation/reading/turning-words.json',
  'browse/readers/cmaps',
  'browse/readers/html/content/model.bin',
  'browse/reading/page-trouble.json',
  'browse/rendering/serialize-document.js',
  'compliance/catalogues/controls',
  'compliance/mappings',
  'compliance/relations/control-relations.tsv',
  'compliance/reports/style.css',
  'knowledge/embedders/all-minilm-l6-v2-int8',
  'knowledge/embedders/sample-pairs.json',
  'knowledge/indexes/bit-scan.wasm',
  'knowledge/stores/checking/check.sql',
  'knowledge/stores/postgres/search.sql',
  'lib/styles',
  'monitor/checks/sensitive-ports.json',
  'storage/migrations/schema.sql',
  'storage/postgres/schema/schema.sql',
  'server/console/frame/script.js',
  'server/console/frame/style.css',
  'server/console/keep/upload.js',
  'server/http/docs-page.css',
  'server/status-page/style.css',
  'server/views/style.css',
  'security/scanners/secrets/services.tsv',
  'security/scanners/source/rules',
];

rmSync(`${ROOT}/dist`, { recursive: true, force: true });
for (const path of DATA)
  cpSync(`${ROOT}/src/${path}`, `${ROOT}/dist/src/${path}`, {
    recursive: true,
    filter: (name) => !name.endsWith('.ts'),
  });
// Without the blanks that only people read: 0.3 MB less.
for (const path of globSync(`${ROOT}/dist/src/**/*.json`))
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
for (const file of RUNTIME_FILES)
  cpSync(
    `${ROOT}/node_modules/onnxruntime-web/dist/${file}`,
    `${ROOT}/dist/src/knowledge/embedders/onnxruntime-web/${file}`,
  );
const inside = await bundle(ROOT, Object.keys(COPIED));
const beside = await copyPackages(ROOT);
writeTerms(ROOT, [...inside, ...beside]);
