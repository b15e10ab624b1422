import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSet } from '../extract-set-score.ts';
import { peersPython } from '../peers.ts';
import { writeRuns } from './dump.ts';
import { printFolds } from './folds.ts';

/**
 * `node bench/content/main.ts <set>`: trains the choice of content of web pages on a set in WCXB's layout, prints its scores in five folds
 * of sites, and writes src/browse/readers/html/content/model.bin. Some minutes and 3 GB of memory; the same set gives the same file. To be
 * run again after a change of what features.ts counts, and where rules change much of what is kept. With `--data <folder>` what was counted
 * is kept there.
 */
const [set = '', option, folder] = process.argv.slice(2);
const MODEL = fileURLToPath(new URL('../../src/browse/readers/html/content/model.bin', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./train.py', import.meta.url));
const python = peersPython(['lightgbm', 'numpy', 'rapidfuzz']);
if (!isSet(set) || python === undefined) {
  process.stderr.write(`${JSON.stringify(set)} has no ground-truth/ and html/, or there is no Python\n`);
  process.exit(2);
}
const kept = option === '--data' ? folder : undefined;
const data = kept ?? mkdtempSync(join(tmpdir(), 'magpie-content-'));
try {
  writeRuns(set, data);
  execFileSync(python, [SCRIPT, data, MODEL], { stdio: 'inherit' });
  printFolds(set, data);
} finally {
  if (kept === undefined) rmSync(data, { recursive: true, force: true });
}
