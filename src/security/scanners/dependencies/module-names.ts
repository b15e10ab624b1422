import type { PackageVersion } from '../../findings/finding.ts';
import modules from './python-modules.json' with { type: 'json' };

const PYTHON: Readonly<Record<string, readonly string[]>> = modules;

export function moduleNamesOf({ ecosystem, name }: PackageVersion): readonly string[] {
  if (ecosystem === 'PyPI') return PYTHON[name] ?? [name.replaceAll('-', '_')];
  // A gem is loaded by its own name (`aws-sdk-s3`), or with slashes in place of hyphens (`rack/protection`).
  return ecosystem === 'RubyGems' && name.includes('-') ? [name, name.replaceAll('-', '/')] : [name];
}
