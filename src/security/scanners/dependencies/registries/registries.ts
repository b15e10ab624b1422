import { type Ecosystem, familyOf } from '../ecosystem.ts';
import written from './registries.json' with { type: 'json' };

/**
 * Where a registry's JSON answer has its facts. The paths `releases` and `created` start at the root,
 * other paths at a release. In a path, `^` is the root, `$` the version, and `*` all items of a list.
 */
export interface RegistryDescription {
  readonly url: string;
  /** Path of the URL. `{name}`, `{encoded}`, `{lower}` and `{crate}` stand for spellings of the package's name. */
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
  /** Path of a field that exists only if a build service, and not a person, published the release. */
  readonly trusted?: string;
  readonly installs?: string;
}

export const registryOf = (ecosystem: Ecosystem): RegistryDescription | undefined =>
  ecosystem === familyOf(ecosystem)
    ? (written as Readonly<Record<string, RegistryDescription>>)[ecosystem]
    : undefined;

export function registryPath({ path }: RegistryDescription, name: string): string {
  const lower = name.toLowerCase();
  const [first, second] = [lower.slice(0, 2), lower.slice(2, 4)];
  // In Cargo's index, the folder is made of the first letters of a name: `se/rd` for `serde`.
  const folder =
    lower.length > 3 ? `${first}/${second}` : lower.length === 3 ? `3/${lower[0]}` : lower.length;
  const forms = { name, lower, encoded: encodeURIComponent(name), crate: `${folder}/${lower}` };
  return path.replace(/\{(\w{1,20})\}/, (_, form: keyof typeof forms) => forms[form]);
}
