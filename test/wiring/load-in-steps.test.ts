import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { loadInSteps } from '../../src/wiring/load-in-steps.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** What ran, in order. */
let ran: string[] = [];
const world = globalThis as { magpieRan?: (name: string) => void };
beforeEach(() => {
  ran = [];
  world.magpieRan = (name) => void ran.push(name);
});
afterAll(() => {
  world.magpieRan = undefined;
});

let folders = 0;

/** Writes modules, by name with what they import; each notes that it runs, and takes longer than a step may. */
function write(modules: Readonly<Record<string, string>>): (name: string) => string {
  const below = join(folder.path, String(folders++));
  mkdirSync(join(below, 'node_modules'), { recursive: true });
  for (const [name, imports] of Object.entries(modules)) {
    const work = `const from = performance.now();\nwhile (performance.now() - from < 6);\nmagpieRan('${name}');\n`;
    writeFileSync(join(below, name), `${imports}\n${work}`);
  }
  return (name) => pathToFileURL(join(below, name)).href;
}

test('imported modules run before the importing module, with turns of the event loop in between', async () => {
  const address = write({
    'a.mjs': `import './b.mjs';\nimport {\n  c,\n} from './c.mjs';`,
    'b.mjs': `export * from './d.mjs';`,
    'c.mjs': `export const c = 1;\nimport d from "./d.mjs";`,
    'd.mjs': 'export default 1;',
  });
  let going = true;
  const tick = () => {
    ran.push('turn');
    if (going) immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  await loadInSteps([address('a.mjs')]);
  going = false;
  clearImmediate(immediate);
  expect(ran.filter((name) => name !== 'turn')).toEqual(['d.mjs', 'b.mjs', 'c.mjs', 'a.mjs']);
  const apart = ran.join(' ').split(/\S+\.mjs/);
  expect(apart.slice(1, -1).every((between) => between.includes('turn'))).toBe(true);
});

test('modules that import each other run in the order of a single import', async () => {
  const modules = {
    'a.mjs': `import './b.mjs';`,
    'b.mjs': `import './c.mjs';\nimport './e.mjs';`,
    'c.mjs': `import './d.mjs';`,
    'd.mjs': `import './b.mjs';`,
    'e.mjs': '',
  };
  const [stepwise, single] = [write(modules), write(modules)];
  const withoutLeaf = (names: readonly string[]) => names.filter((name) => name !== 'e.mjs');
  await loadInSteps([stepwise('a.mjs')]);
  const inSteps = withoutLeaf(ran.splice(0));
  await import(single('a.mjs'));
  expect(inSteps).toEqual(['d.mjs', 'c.mjs', 'b.mjs', 'a.mjs']);
  expect(withoutLeaf(ran)).toEqual(inSteps);
});

test('files that a CommonJS package requires at run time are loaded first, with turns in between', async () => {
  const address = write({
    'node_modules/a.cjs': `const {\n  b,\n} = require('./b.cjs');\nexports.c = require("./c");\nconst lazy = () => {\n  require('./lazy.cjs');\n};`,
    'node_modules/b.cjs': `const a = require('./a.cjs');`,
    'node_modules/c.js': `require('./d.cjs');`,
    'node_modules/d.cjs': `if (magpieRan === undefined) require('./none.cjs');`,
    'node_modules/lazy.cjs': '',
    'x.mjs': `import './node_modules/a.cjs';`,
  });
  let going = true;
  const tick = () => {
    ran.push('turn');
    if (going) immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  await loadInSteps([address('x.mjs')]);
  going = false;
  clearImmediate(immediate);
  const files = ran.filter((name) => name !== 'turn').map((name) => name.replace(/.*\//, ''));
  expect(files).toEqual(['d.cjs', 'c.js', 'b.cjs', 'a.cjs', 'x.mjs']);
  const apart = ran.join(' ').split(/\S+js/);
  expect(apart.slice(1, -1).map((between) => between.includes('turn'))).toEqual([true, true, false, true]);
});

test('types, and files named only in a string or a dynamic import, are not loaded', async () => {
  const address = write({
    'a.ts': `import type { B } from './b.ts';\nexport type { B } from './b.ts';\nconst lazy = () => import('./b.ts');\nconst text = "from './b.ts'";`,
    'b.ts': 'export interface B {}',
  });
  await loadInSteps([address('a.ts')]);
  expect(ran).toEqual(['a.ts']);
});

test('a missing or failing module does not prevent the loading of the others', async () => {
  const address = write({
    'a.mjs': `throw new Error('broken');`,
    'b.mjs': `import './gone.mjs';`,
    'c.mjs': '',
  });
  await loadInSteps(['a.mjs', 'b.mjs', 'none.mjs', 'c.mjs'].map(address));
  expect(ran).toEqual(['c.mjs']);
});

test('loading ends when it is stopped', async () => {
  const address = write({ 'a.mjs': `import './b.mjs';`, 'b.mjs': '' });
  const stop = new AbortController();
  world.magpieRan = (name) => {
    ran.push(name);
    stop.abort();
  };
  await loadInSteps([address('a.mjs')], stop.signal);
  expect(ran).toEqual(['b.mjs']);
});
