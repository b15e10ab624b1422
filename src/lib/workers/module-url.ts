/**
 * Returns the URL of a module that is started by URL, such as a worker. `path` ends in `.ts` and is relative to `base`, the
 * caller's `import.meta.url`. In the shipped package, modules are compiled and end in `.js`.
 */
export function moduleUrl(path: string, base: string): URL {
  return new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base);
}
