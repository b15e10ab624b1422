import type { SyncedFile } from './folder-store.ts';

export interface PresentFile {
  readonly path: string;
  readonly stamp: string;
  readonly digest: string;
}

export interface SyncPlan {
  readonly added: readonly PresentFile[];
  readonly changed: readonly (PresentFile & { readonly entry: string })[];
  readonly moved: readonly (PresentFile & { readonly entry: string; readonly from: string })[];
  readonly removed: readonly SyncedFile[];
  /** Files with unchanged content whose recorded times are outdated. */
  readonly touched: readonly SyncedFile[];
  readonly unchanged: number;
}

export function planSync(
  known: readonly SyncedFile[],
  present: readonly PresentFile[],
  isUnread: (path: string) => boolean = () => false,
): SyncPlan {
  const before = new Map(known.map((file) => [file.path, file]));
  const now = new Map(present.map((file) => [file.path, file]));
  const displaced = new Map<string, SyncedFile[]>();
  for (const file of known) {
    const there = now.get(file.path);
    if (there?.digest === file.digest || (!there && isUnread(file.path))) continue;
    displaced.set(file.digest, [...(displaced.get(file.digest) ?? []), file]);
  }
  const taken = new Set<string>();
  const touched: SyncedFile[] = [];
  const moved: (PresentFile & { entry: string; from: string })[] = [];
  const others: PresentFile[] = [];
  let unchanged = 0;
  for (const file of present) {
    const old = before.get(file.path);
    if (old?.digest === file.digest) {
      unchanged++;
      if (old.stamp !== file.stamp) touched.push({ ...old, stamp: file.stamp });
      continue;
    }
    const from = takeNearest(displaced, file);
    if (!from) others.push(file);
    else {
      taken.add(from.path);
      moved.push({ ...file, entry: from.entry, from: from.path });
    }
  }
  const absent = known.filter(({ path }) => !now.has(path) && !isUnread(path));
  // A name with accents in another Unicode form (NFC or NFD) is the same name.
  const forms = absent.flatMap((file) =>
    ['NFC', 'NFD'].map((form) => [file.path.normalize(form), file] as const),
  );
  const namesakes = new Map([...forms, ...before]);
  const added: PresentFile[] = [];
  const found: (PresentFile & { entry: string; from: string })[] = [];
  for (const file of others) {
    const old = namesakes.get(file.path);
    if (old && !taken.has(old.path)) {
      taken.add(old.path);
      found.push({ ...file, entry: old.entry, from: old.path });
    } else added.push(file);
  }
  const changed = found.filter(({ from, path }) => from === path);
  moved.push(...found.filter(({ from, path }) => from !== path));
  const removed = absent.filter(({ path }) => !taken.has(path));
  // Finds recorded files that were overwritten by another file, which was moved to their path.
  const orphaned = known.filter(
    ({ path, digest }) => now.has(path) && now.get(path)?.digest !== digest && !taken.has(path),
  );
  return { added, changed, moved, removed: [...removed, ...orphaned], touched, unchanged };
}

function takeNearest(displaced: ReadonlyMap<string, SyncedFile[]>, { path, digest }: PresentFile) {
  const candidates = displaced.get(digest);
  if (!candidates || candidates.length === 0) return undefined;
  const named = candidates.findIndex((one) => nameOf(one.path) === nameOf(path));
  return candidates.splice(Math.max(0, named), 1)[0];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
