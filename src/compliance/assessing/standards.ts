import { badRequestError } from '../../errors.ts';
import { likelyMeant } from '../../lib/text/did-you-mean.ts';
import type { ControlCatalogue } from './catalogue.ts';

/** Finds standards by name, or all for `all`. Throws AppError `bad_request` with a similar name. */
export function findStandards(
  names: readonly string[],
  catalogues: readonly ControlCatalogue[],
): readonly ControlCatalogue[] {
  const known = knownNames(catalogues);
  const chosen = new Set<ControlCatalogue>();
  for (const name of names) {
    const found = known.get(bare(name));
    if (found) chosen.add(found);
    else if (bare(name) === 'all') for (const catalogue of catalogues) chosen.add(catalogue);
    else throw unknown(name, known, catalogues);
  }
  return [...chosen];
}

function knownNames(catalogues: readonly ControlCatalogue[]): ReadonlyMap<string, ControlCatalogue> {
  const known = new Map<string, ControlCatalogue>();
  for (const catalogue of catalogues) {
    for (const name of [catalogue.id, ...catalogue.spellings]) known.set(bare(name), catalogue);
  }
  for (const catalogue of catalogues) {
    for (const name of [catalogue.title, `${catalogue.title} ${catalogue.edition}`]) {
      if (!known.has(bare(name))) known.set(bare(name), catalogue);
    }
  }
  return known;
}

function unknown(
  name: string,
  known: ReadonlyMap<string, ControlCatalogue>,
  catalogues: readonly ControlCatalogue[],
) {
  const near = known.get(likelyMeant(bare(name), known.keys()) ?? '');
  const meant = near ? ` (did you mean ${near.id}?)` : '';
  const ids = catalogues.map(({ id }) => id).join(', ');
  return badRequestError(
    `standards has ${JSON.stringify(name.slice(0, 80))}, which is not a known standard${meant}: it takes ${ids}, or all`,
  );
}

/** Returns a name for comparison. `PCI DSS v4.0` and `pci-dss-4.0` both become `pcidss40`. */
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .replace(/v(?=\d)/g, '');
