export function createUniqueNames(
  write: (name: string, number: number) => string,
  reserved: readonly string[] = [],
): (name: string, first?: number) => string {
  const waiting = new Set(reserved);
  const used = new Set(reserved);
  const numbers = new Map<string, number>();
  return (name, first = 2) => {
    if (waiting.delete(name)) return name;
    let free = name;
    let number = Math.max(first, numbers.get(name) ?? 0);
    while (used.has(free)) free = write(name, number++);
    numbers.set(name, number);
    used.add(free);
    return free;
  };
}
