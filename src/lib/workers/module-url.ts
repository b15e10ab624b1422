/** Returns the URL of a module. `path` ends in `.ts` and is relative to `base`. In the shipped package, modules end in `.js`. */
export function moduleUrl(path: string, base: string): URL {
  return new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base);
}
