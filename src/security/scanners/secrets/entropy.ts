export function entropy(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    length++;
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}
