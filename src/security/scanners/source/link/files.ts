export type FileLookup = ReturnType<typeof filesOf>;

export function filesOf(paths: readonly string[]) {
  const all = new Set(paths);
  const folders = Map.groupBy(paths, folderOf);
  const byLast = Map.groupBy([...folders.keys()], (folder) => folder.slice(folder.lastIndexOf('/') + 1));
  return {
    has: (path: string) => all.has(path),
    first(candidates: Iterable<string>) {
      for (const path of candidates) if (all.has(path)) return path;
      return undefined;
    },
    within: (folder: string) => folders.get(folder) ?? [],
    folderEnding(tail: string) {
      const same = byLast.get(tail.slice(tail.lastIndexOf('/') + 1)) ?? [];
      const found = same.filter((folder) => folder === tail || folder.endsWith(`/${tail}`));
      return found.sort((a, b) => a.length - b.length)[0];
    },
  };
}

export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

export function joinPath(folder: string, path: string): string | undefined {
  const parts = folder === '' || path.startsWith('/') ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
