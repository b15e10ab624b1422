import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KINDS } from './kinds.ts';

/**
 * `npm run new -- <kind> <name>`: writes the file, its entry in the list and a test that fails until it is written. With
 * `--in <folder>` in another checkout.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);
const inAt = args.indexOf('--in');
const [, folder = root] = inAt >= 0 ? args.splice(inAt, 2) : [];
const [kindName = '', name = ''] = args;
const kind = Object.hasOwn(KINDS, kindName) ? KINDS[kindName] : undefined;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const usage = `usage: npm run new -- <kind> <name>; the kinds are ${Object.keys(KINDS).join(', ')}`;
if (args.some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
if (!kind) fail(usage);
const form = /^(?:(?<place>[a-z][a-z0-9-]*)\/)?[a-z][a-z0-9-]*$/.exec(name);
const places = kind.places?.(folder).sort();
if (!form || (places ? !places.includes(form.groups?.place ?? '') : form.groups?.place !== undefined)) {
  const before = places ? `; before the slash: ${places.join(', ')}` : '';
  fail(
    `the name ${JSON.stringify(name)} is not usable: it takes ${kind.name}, in small letters, digits and hyphens${before}`,
  );
}
const files = Object.entries(kind.files(name));
for (const [path] of files) if (existsSync(join(folder, path))) fail(`${path} is already there`);
const edits = Object.entries(kind.edits(name)).map(([path, edit]) => {
  return [path, edit(readFileSync(join(folder, path), 'utf8'))] as const;
});
for (const [path, text] of [...files, ...edits]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  process.stdout.write(`${path}\n`);
}
const touched = [...files, ...edits].map(([path]) => join(folder, path));
// Without the linter, which would read the whole project first: `npm run check` has it.
const tidy = ['check', '--write', '--linter-enabled=false', '--files-ignore-unknown=true'];
execFileSync('biome', [...tidy, '--no-errors-on-unmatched', ...touched], { stdio: 'ignore', cwd: folder });
process.stdout.write(`\n${kind.next}\n`);
