import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Parts of the data folder that the benches read. */
export const ARTICLES = 'articles/dev';

/** Where the data is by default: beside the project. */
const BESIDE = fileURLToPath(new URL('../../shared/bench', import.meta.url));

/**
 * The folder of one part of the data: the one given on the command line, else the part of MAGPIE_BENCH_DATA,
 * else of the folder beside the project. Undefined, with a word on stdout, when it is not there.
 */
export function dataFolder(part: string, given: string | undefined): string | undefined {
  const root = given ?? process.env.MAGPIE_BENCH_DATA ?? BESIDE;
  const found = [join(root, part), ...(given === undefined ? [] : [given])].find((path) => existsSync(path));
  if (found === undefined) {
    process.stdout.write(
      `\nno ${part} in ${root}: name the folder, or set MAGPIE_BENCH_DATA to one that has it\n`,
    );
  }
  return found;
}
