/**
 * Where a module is that is started by its address, as workers are: `path` is relative to `base`, the caller's
 * `import.meta.url`, and ends in `.ts`. What is shipped is compiled, and has `.js` there.
 */
export function moduleUrl(path: string, base: string): URL {
  return new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base);
}
