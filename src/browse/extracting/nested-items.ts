import type { DataItem } from './structured.ts';

export const MAX_DATA_ITEMS = 2000;
export const MAX_LIST_ITEMS = 1000;

export function isDataItem(value: unknown): value is DataItem {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function collectNestedItems(things: readonly unknown[]): DataItem[] {
  const all: DataItem[] = [];
  const waiting: unknown[] = [...things];
  for (let at = 0; at < waiting.length && all.length < MAX_DATA_ITEMS; at++) {
    const one = waiting[at];
    if (isDataItem(one)) all.push(one);
    if (typeof one === 'object' && one !== null) {
      for (const inner of Object.values(one).slice(0, MAX_LIST_ITEMS)) {
        if (typeof inner === 'object' && waiting.length < 4 * MAX_DATA_ITEMS) waiting.push(inner);
      }
    }
  }
  return all;
}

export function groupItemsByPath(value: unknown): DataItem[][] {
  const found = new Map<string, DataItem[]>();
  const waiting: { readonly one: unknown; readonly path: string }[] = [{ one: value, path: '' }];
  for (let at = 0; at < waiting.length; at++) {
    const { one, path } = waiting[at] ?? { one: undefined, path: '' };
    if (isDataItem(one)) {
      const list = found.get(path) ?? [];
      if (list.length === 0) found.set(path, list);
      if (list.length < MAX_LIST_ITEMS) list.push(one);
    }
    for (const { one: member, path: below } of membersOf(one, path)) {
      if (typeof member === 'object' && member !== null && waiting.length < 4 * MAX_DATA_ITEMS)
        waiting.push({ one: member, path: below });
    }
  }
  return [...found.values()];
}

const MAX_PATH_CHARS = 1000;

function membersOf(one: unknown, path: string): { readonly one: unknown; readonly path: string }[] {
  if (Array.isArray(one)) {
    const below = `${path}[]`.slice(0, MAX_PATH_CHARS);
    return one.slice(0, MAX_LIST_ITEMS).map((item) => ({ one: item, path: below }));
  }
  if (!isDataItem(one)) return [];
  return Object.entries(one).map(([name, member]) => ({
    one: member,
    path: `${path}.${name}`.slice(0, MAX_PATH_CHARS),
  }));
}
