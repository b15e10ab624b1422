import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Where modules go that several entries share. */
const CHUNKS = 'src/chunks';
/** Addresses of modules that are started or loaded by their address: `moduleUrl('./x.ts', ...)`, and lists of them, one a line. */
const ADDRESS = /(?:moduleUrl\(\s*|^\s+)'(\.\.?\/[^'\n]+\.ts)'/gm;

/**
 * Makes one file of each program in `src` (the start, each worker, each room that is loaded by its address) and of what they share,
 * with all packages but `external` in them. A program's file is where its source is, so that addresses within our code hold.
 *
 * @returns the files, below the root, of packages that went in.
 */
export async function bundle(root: string, external: readonly string[]): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs(root).map((path) => [path.replace(/\.ts$/, ''), join(root, path)])),
    platform: 'node',
    // The other form of some is one whose imports no bundler can follow.
    resolve: {
      mainFields: ['module', 'main'],
      // Its packed list of public suffixes is half as large.
      alias: { tldts: 'tldts/dist/index.esm.min.js' },
    },
    external: external.map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [ownAddress(root)],
    // Some packages ask for others that are only there if their user wants them.
    onLog(level, log, report) {
      if (log.code !== 'EVAL') report(level, log);
    },
  });
  const { output } = await build.write({
    dir: join(root, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
    banner: ({ fileName }) => {
      const up = posix.relative(posix.dirname(fileName), '.') || '.';
      return `const __dist = new URL('${up}/', import.meta.url);`;
    },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await build.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const base = dirname(realpathSync(join(root, 'node_modules')));
  return modules.filter((id) => id.includes('/node_modules/')).map((id) => relative(base, id));
}

/** The modules that are started or loaded by their address. */
function programs(root: string): readonly string[] {
  const found = new Set(['src/main.ts']);
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.d.ts')) continue;
    const text = readFileSync(join(root, 'src', name), 'utf8');
    for (const [, path = ''] of text.matchAll(ADDRESS))
      found.add(posix.join('src', posix.dirname(name), path));
  }
  return [...found].sort();
}

/** In a bundle a module keeps the address that it has as a file of its own, from which it finds data and workers. */
function ownAddress(root: string): Plugin {
  return {
    name: 'own-address',
    transform(code, id) {
      const path = relative(root, id);
      if (!path.startsWith('src/') || !code.includes('import.meta.url')) return null;
      const own = `new URL('${path.replace(/\.ts$/, '.js')}', __dist).href`;
      return code.replaceAll('import.meta.url', own);
    },
  };
}
