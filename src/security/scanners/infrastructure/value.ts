/**
 * A value of a resource, in the one form that Terraform, CloudFormation and Kubernetes are read into. Numbers and
 * booleans are texts; what is null or is removed (`AWS::NoValue`) is left out.
 */
export type Value = ValueMap | ValueList | ValueText | UnknownValue;
export interface ValueMap {
  readonly kind: 'map';
  /** From 1. */
  readonly line: number;
  readonly entries: ReadonlyMap<string, Value>;
}
export interface ValueList {
  readonly kind: 'list';
  readonly line: number;
  readonly items: readonly Value[];
}
export interface ValueText {
  readonly kind: 'text';
  readonly line: number;
  readonly text: string;
}
/** What only a run knows: a reference, a call. `text` is how it is written. */
export interface UnknownValue {
  readonly kind: 'unknown';
  readonly line: number;
  readonly text: string;
}

/** One resource that a file declares. */
export interface Resource {
  /** As its provider names it: `aws_s3_bucket`, `AWS::S3::Bucket`. */
  readonly type: string;
  readonly name: string;
  readonly line: number;
  readonly body: ValueMap;
  /** Parts of it are filled in elsewhere, so that nothing in it can be said to be missing. */
  readonly partial?: true;
}

/** What stands at a path: a value, or the line of the innermost part that is there. */
export type Place = Value | { readonly kind: 'absent'; readonly line: number };

/** Most places of one path in one resource. */
const MAX_PLACES = 500;

/**
 * Everything at a path (`settings.ip_configuration.require_ssl`; empty for the value itself). Lists on the way are
 * gone through; `*` is every entry of a map.
 */
export function placesAt(value: Value, path: string): Place[] {
  let places: Place[] = [value];
  for (const key of path === '' ? [] : path.split('.')) {
    places = places
      .flatMap(unfolded)
      .slice(0, MAX_PLACES)
      .flatMap((place) => step(place, key));
  }
  return places.slice(0, MAX_PLACES);
}

function step(place: Place, key: string): Place[] {
  if (place.kind === 'unknown' || place.kind === 'absent') return [place];
  // A text where a map is meant: a document of another format.
  if (place.kind === 'text') return [{ kind: 'unknown', line: place.line, text: '' }];
  if (place.kind !== 'map') return [{ kind: 'absent', line: place.line }];
  if (key === '*') return [...place.entries.values()];
  return [place.entries.get(key) ?? { kind: 'absent', line: place.line }];
}

/** The items of a list, those of lists in it too; an empty one is absent, anything else is itself. */
export function unfolded(place: Place): Place[] {
  if (place.kind !== 'list') return [place];
  return place.items.length === 0 ? [{ kind: 'absent', line: place.line }] : place.items.flatMap(unfolded);
}

/** The entry of a map; undefined for anything else. */
export function entryOf(value: Value | undefined, key: string): Value | undefined {
  return value?.kind === 'map' ? value.entries.get(key) : undefined;
}

/** The text of an entry that is a plain value. */
export function textOf(value: Value | undefined, key: string): string | undefined {
  const entry = entryOf(value, key);
  return entry?.kind === 'text' ? entry.text : undefined;
}

/** The items of a list; a single value is a list of one, nothing a list of none. */
export function itemsOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return value.kind === 'list' ? value.items : [value];
}
