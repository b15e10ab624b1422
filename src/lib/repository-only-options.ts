export function describeRepositoryOnlyOptions(
  given: string,
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  const names = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  if (names.length === 0) return undefined;
  const [are, out] = names.length === 1 ? ['is', 'leave it out'] : ['are', 'leave them out'];
  return `${names.join(' and ')} ${are} for a repository, and ${given} is given: ${out}`;
}
