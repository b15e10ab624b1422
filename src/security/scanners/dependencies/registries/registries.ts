import { type Ecosystem, familyOf } from '../ecosystem.ts';
import written from './registries.json' with { type: 'json' };

/**
 * Describes a registry's answers by paths in their JSON. A path begins at a release, or after `^` at
 * the root. In a path, `$` stands for the version, and `*` stands for all items of a list.
 */
export interface RegistryDescription {
  readonly url: string;
  /** Path with `{encoded}`, `{lower}`, `{crate}` or `{name}` for the package's name. */
  readonly path: string;
  readonly lines?: boolean;
  readonly releases: string;
  readonly created?: string;
  readonly version?: string;
  readonly at?: string;
  readonly deprecated?: string;
  readonly deprecatedWords?: string;
  readonly yanked?: string;
  readonly yankedWords?: string;
  readonly publisher?: string;
  /** Path of a member that is present if a build service, not a person, published the release. */
  readonly trusted?: string;
  readonly installs?: string;
}

export function registryOf(ecosystem: Ecosystem): RegistryDescription | undefined {
  return ecosystem === familyOf(ecosystem)
    ? (written as Readonly<Record<string, RegistryDescription>>)[ecosystem]
    : undefined;
}

export function registryPath({ path }: RegistryDescription, name: string): string {
  const lower = name.toLowerCase();
  const [first, second] = [lower.slice(0, 2), lower.slice(2, 4)];
  // Cargo's sparse index has a folder for the first letters of a name.
  const folder =
    lower.length > 3 ? `${first}/${second}` : lower.length === 3 ? `3/${lower[0]}` : lower.length;
  const forms = { name, lower, encoded: encodeURIComponent(name), crate: `${folder}/${lower}` };
  return path.replace(/\{(\w{1,20})\}/, (_, form: keyof typeof forms) => forms[form]);
}
