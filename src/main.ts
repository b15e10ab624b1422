#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// What was compiled once is kept for the next start, which is then about a quarter shorter. It lies beside the code, and
// not where Node.js would put it, in a folder for temporary files: whoever can change it decides what is run. Where
// that cannot be written, nothing is kept.
const root = import.meta.url.endsWith('.ts') ? '..' : '../..';
module.enableCompileCache?.(fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url)));
await import('./program.ts');
