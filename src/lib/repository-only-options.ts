/** Returns an error message if `given` has options of repositories, else undefined. */
export function describeRepositoryOnlyOptions(
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
