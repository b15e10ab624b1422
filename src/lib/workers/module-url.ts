/** Returns the URL of a module `path` that ends in `.ts`. Shipped modules end in `.js`. */
export function moduleUrl(path: string, base: string): URL {
  return new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base);
}
