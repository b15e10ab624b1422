import type { RawFinding } from '../../findings/finding.ts';
import { fitsPart } from '../../trees/glob.ts';
import type { ReadLockfile } from './inventory.ts';

const MAX_WORDS = 200;

export function licenseFindings(
  { path, ecosystem, packages }: ReadLockfile,
  denied: readonly string[],
): RawFinding[] {
  const isDenied = (license: string) =>
    denied.some((pattern) => fitsPart(pattern.toLowerCase(), license.toLowerCase()));
  const seen = new Set<string>();
  return packages.flatMap(({ name, version, line, license, local, development }) => {
    if (license === undefined || local || seen.has(name) || !isLicenseDenied(license, isDenied)) return [];
    seen.add(name);
    return {
      id: 'licenses/denied',
      severity: 'medium',
      title: `License that is not accepted: ${name}`,
      description: `${name} ${version} is licensed under ${license.slice(0, 200)}, which MAGPIE_DENY_LICENSES names.`,
      fix: `Replace ${name}, or agree on another license with its authors.`,
      path,
      line,
      development: development || undefined,
      identity: `${ecosystem} ${name}`,
    };
  });
}

/** True if an SPDX expression requires a denied license. `A OR B` leaves a choice, `A AND B` requires both. */
export function isLicenseDenied(expression: string, isDenied: (license: string) => boolean): boolean {
  const words = expression.replace(/[()]/g, ' $& ').split(/\s+/).filter(Boolean);
  if (words.length > MAX_WORDS) return isDenied(expression);
  let at = 0;
  const isNext = (word: string) => words[at]?.toUpperCase() === word;
  const join = (word: string, part: () => boolean, both: (a: boolean, b: boolean) => boolean) => {
    let all = part();
    while (isNext(word)) {
      at++;
      all = both(part(), all);
    }
    return all;
  };
  const one = (): boolean => {
    if (isNext('(')) {
      at++;
      const inner = any();
      if (isNext(')')) at++;
      return inner;
    }
    const license = words[at++] ?? '';
    // Skips the exception after `WITH`, because an exception only adds permissions to the license.
    if (isNext('WITH')) at += 2;
    return isDenied(license);
  };
  const all = () => join('AND', one, (a, b) => a || b);
  const any = (): boolean => join('OR', all, (a, b) => a && b);
  const must = any();
  return at < words.length ? isDenied(expression.trim()) : must;
}
