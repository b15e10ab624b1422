#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// What was compiled once is kept for the next start, which is then about a quarter shorter. It lies beside the code, and
// not where Node.js would put it, in a folder for temporary files: whoever can change it decides what is run. Where
// that cannot be written, nothing is kept.
const root = import.meta.url.endsWith('.ts') ? '..' : '../..';
module.enableCompileCache?.(fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url)));
// Told before anything else is loaded: modules may ask for what an older Node.js does not have.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `magpie: this is Node.js ${process.versions.node}, and Magpie needs 24 or newer; ` +
      'a checkout has one at node_modules/.bin/node\n',
  );
  process.exitCode = 1;
} else await import('./cli/program.ts');
