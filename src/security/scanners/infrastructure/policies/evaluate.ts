import { fitsPart } from '../../../trees/glob.ts';
import { entryOf, type Place, placesAt, type Resource, unfolded, type Value } from '../value.ts';
import type { Condition } from './policy.ts';

/** Result of a condition: `unknown` if it depends on a value that is known only when the configuration is applied. */
export interface Verdict {
  readonly state: 'fine' | 'bad' | 'unknown';
  readonly line: number;
  readonly found?: string;
}

export interface Scene {
  readonly resource: Resource;
  readonly others: readonly Resource[];
}

const EVERYWHERE: ReadonlySet<string> = new Set([
  '0.0.0.0/0',
  '::/0',
  '0.0.0.0',
  '*',
  'internet',
  'any',
  '0000:0000:0000:0000:0000:0000:0000:0000/0',
]);

export function judge(condition: Condition, value: Value, scene: Scene): Verdict {
  const { when, any, all, each, some, beside, never } = condition;
  const fine: Verdict = { state: 'fine', line: value.line };
  if (when) {
    const { state } = judge(when, value, scene);
    if (state !== 'fine') return { ...fine, state: state === 'unknown' ? 'unknown' : 'fine' };
  }
  if (never) return { ...fine, state: 'bad' };
  if (beside) return judgeBeside(condition, scene);
  if (each !== undefined || some !== undefined) return judgeWithin(condition, value, scene);
  if (all)
    return worst(
      all.map((one) => judge(one, value, scene)),
      value.line,
    );
  if (any)
    return best(
      any.map((one) => judge(one, value, scene)),
      value.line,
    );
  return judgePlaces(condition, placesAt(value, condition.at ?? ''), value.line, scene);
}

function judgeWithin(condition: Condition, value: Value, scene: Scene): Verdict {
  const { each, some, all = [] } = condition;
  const places = placesAt(value, each ?? some ?? '').flatMap(unfolded);
  const there = places.filter((place) => place.kind !== 'absent');
  if (there.length === 0)
    return absence(condition, places[0]?.line ?? value.line, scene, some ? 'bad' : 'fine');
  const verdicts = there.map((place): Verdict => {
    if (place.kind === 'unknown') return { state: 'unknown', line: place.line };
    return worst(
      all.map((one) => judge(one, place, scene)),
      place.line,
    );
  });
  return each !== undefined ? worst(verdicts, value.line) : best(verdicts, value.line);
}

function judgeBeside({ beside = [], all = [] }: Condition, { resource, others }: Scene): Verdict {
  const named = others.filter(({ type }) => beside.includes(type));
  const verdicts = named
    .filter((one) => refersTo(one.body, resource))
    .map((one) =>
      worst(
        all.map((condition) => judge(condition, one.body, { resource: one, others })),
        one.line,
      ),
    );
  return verdicts.length > 0 ? best(verdicts, resource.line) : { state: 'bad', line: resource.line };
}

/** True if a value refers to a resource, as in Terraform (`aws_s3_bucket.logs.id`) or CloudFormation (`Ref`). */
export function refersTo(value: Value, resource: Resource): boolean {
  const { type, name, body } = resource;
  if (value.kind === 'unknown') {
    const address = type.includes('::') ? name : `${type}.${name}`;
    const at = value.text.indexOf(address);
    return at >= 0 && !/[\w-]/.test(value.text[at + address.length] ?? '');
  }
  if (value.kind === 'map') return [...value.entries.values()].some((one) => refersTo(one, resource));
  if (value.kind === 'list') return value.items.some((one) => refersTo(one, resource));
  const given = entryOf(body, 'bucket') ?? entryOf(body, 'name') ?? entryOf(body, 'BucketName');
  return given?.kind === 'text' && given.text !== '' && given.text === value.text;
}

function worst(verdicts: readonly Verdict[], line: number): Verdict {
  return (
    verdicts.find(({ state }) => state === 'bad') ??
    verdicts.find(({ state }) => state === 'unknown') ?? { state: 'fine', line }
  );
}

function best(verdicts: readonly Verdict[], line: number): Verdict {
  return (
    verdicts.find(({ state }) => state === 'fine') ??
    verdicts.find(({ state }) => state === 'unknown') ??
    verdicts[0] ?? { state: 'bad', line }
  );
}

function absence(condition: Condition, line: number, { resource }: Scene, usual: 'fine' | 'bad'): Verdict {
  const state = condition.absent ?? usual;
  return { state: state === 'bad' && resource.partial ? 'unknown' : state, line };
}

function judgePlaces(condition: Condition, places: readonly Place[], line: number, scene: Scene): Verdict {
  if (condition.has) return judgeList(condition, places, line, scene);
  const whole = condition.set ?? condition.unset;
  const judged = (whole ? places : places.flatMap(unfolded)).map((place) =>
    judgePlace(condition, place, scene),
  );
  if (judged.length === 0) return absence(condition, line, scene, demands(condition) ? 'bad' : 'fine');
  return worst(judged, line);
}

function demands({ is, set, least, has }: Condition): boolean {
  return (is ?? set ?? least ?? has) !== undefined;
}

function judgePlace(condition: Condition, place: Place, scene: Scene): Verdict {
  const { line } = place;
  const { set, unset } = condition;
  const missing = place.kind === 'absent' || isEmpty(place);
  if (unset) return { state: missing ? 'fine' : place.kind === 'unknown' ? 'unknown' : 'bad', line };
  if (missing) return absence(condition, line, scene, demands(condition) ? 'bad' : 'fine');
  if (set) return { state: 'fine', line };
  if (place.kind === 'unknown') return { state: 'unknown', line };
  if (place.kind !== 'text') return { state: condition.is ? 'bad' : 'fine', line };
  return { state: fits(condition, place.text) ? 'fine' : 'bad', line, found: place.text };
}

function isEmpty(place: Place): boolean {
  if (place.kind === 'text') return place.text === '';
  return place.kind === 'list' && place.items.length === 0;
}

function fits({ is, not, least, most, closed }: Condition, text: string): boolean {
  const small = text.toLowerCase();
  const among = (wanted: readonly string[]) =>
    wanted.some((one) => (one === '*' ? small === '*' : fitsPart(one.toLowerCase(), small)));
  if (is) return among(is);
  if (not) return !among(not);
  if (closed) return !EVERYWHERE.has(small);
  // Google Cloud writes durations in seconds with the unit `s`.
  const number = Number(/^\d{1,15}s$/.test(text) ? text.slice(0, -1) : text);
  if (text.trim() === '' || Number.isNaN(number)) return true;
  return (least === undefined || number >= least) && (most === undefined || number <= most);
}

function judgeList(condition: Condition, places: readonly Place[], line: number, scene: Scene): Verdict {
  const items = places.flatMap(unfolded);
  const there = items.filter((item) => item.kind !== 'absent');
  if (there.length === 0) return absence(condition, items[0]?.line ?? line, scene, 'bad');
  const texts = new Set(there.flatMap((item) => (item.kind === 'text' ? [item.text.toLowerCase()] : [])));
  if ((condition.has ?? []).every((one) => texts.has(one.toLowerCase()))) return { state: 'fine', line };
  const unsure = there.some((item) => item.kind === 'unknown');
  return { state: unsure ? 'unknown' : 'bad', line: there[0]?.line ?? line };
}
