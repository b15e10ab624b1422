import { readdirSync, readFileSync } from 'node:fs';

/** Bytes of memory of a process and all that it started, by what the kernel counts once for all that share it (Linux). */
export function residentBytes(pid: number): number {
  const parents = readParents();
  const family = [pid];
  for (const one of family) for (const [child, parent] of parents) if (parent === one) family.push(child);
  return family.reduce((sum, one) => sum + proportional(one), 0);
}

/** The processes that a process has started, with the bytes of memory of each (Linux). */
export function processesOf(pid: number): { readonly pid: number; readonly bytes: number }[] {
  return [...readParents()]
    .filter(([, parent]) => parent === pid)
    .map(([child]) => ({ pid: child, bytes: proportional(child) }));
}

function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)));
  }
  return parents;
}

function parentOf(pid: number): number {
  // After the name, which may hold anything, state and parent; `status` counts the memory of the process for each reader.
  const text = read(`/proc/${pid}/stat`);
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function proportional(pid: number): number {
  return 1024 * Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

/** '' for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
