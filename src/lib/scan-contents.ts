/**
 * What only repositories have and stands beside a text or a package, in the caller's own names for it (`options.deep_scan`, `--deep`): one
 * sentence for every surface. Undefined where all of it is left out or switched off.
 */
export function problemBeside(
  kind: 'text' | 'package',
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const names = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  if (names.length === 0) return undefined;
  const [are, out] = names.length === 1 ? ['is', 'leave it out'] : ['are', 'leave them out'];
  return `${names.join(' and ')} ${are} for a repository, and a ${kind} is given: ${out}`;
}
