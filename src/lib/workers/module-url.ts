/** Returns the URL of a module. `path` ends in `.ts`, which becomes `.js` in the compiled package. */
export function moduleUrl(path: string, base: string): URL {
  return new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base);
}
