/** Returns the URL of the module `path`, which ends in `.ts`. In the package, modules end in `.js`. */
export function moduleUrl(path: string, base: string): URL {
  return new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base);
}
