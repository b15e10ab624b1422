import { fitsPart } from '../../../trees/glob.ts';
import {
  type ConfigResource,
  type ConfigValue,
  entryOf,
  type FoundValue,
  findValuesAt,
  flattenLists,
} from '../value.ts';
import aws from './aws.json' with { type: 'json' };
import azure from './azure.json' with { type: 'json' };
import google from './google.json' with { type: 'json' };
import kubernetes from './kubernetes.json' with { type: 'json' };
import {
  type InfrastructurePolicy,
  type PolicyCheck,
  type PolicyCondition,
  policyFamilyOf,
} from './policy.ts';

export const POLICIES = [aws, azure, google, kubernetes].flat() as unknown as readonly InfrastructurePolicy[];

export interface PolicyViolation {
  readonly policy: InfrastructurePolicy;
  readonly line: number;
  readonly what: string;
  readonly fix: string;
}

const BY_TYPE = new Map<string, (readonly [policy: InfrastructurePolicy, check: PolicyCheck])[]>();
for (const policy of POLICIES) {
  for (const check of policy.checks) {
    for (const type of check.types) BY_TYPE.set(type, [...(BY_TYPE.get(type) ?? []), [policy, check]]);
  }
}

export function findPolicyViolations(
  resource: ConfigResource,
  others: readonly ConfigResource[],
): PolicyViolation[] {
  return (BY_TYPE.get(resource.type) ?? []).flatMap(([policy, check]): PolicyViolation[] => {
    const { state, line, found } = evaluateCondition(check, resource.body, { resource, others });
    if (state !== 'bad') return [];
    const path = pathOf(check);
    const what = [`${resource.type} ${resource.name}`.trim(), path && said(path, found)]
      .filter(Boolean)
      .join(', ');
    return [{ policy, line, what, fix: policy.fix ?? fixOf(check, policy, resource.type) }];
  });
}

const said = (path: string, found: string | undefined): string =>
  found === undefined ? `without ${path}` : `${path} is ${found.slice(0, 60)}`;

function pathOf({ at, each, some, all, any }: PolicyCondition): string {
  const inner = [...(all ?? []), ...(any ?? [])].find(
    (one) => one.not ?? one.is ?? one.set ?? one.least ?? one.closed,
  );
  return [each ?? some, at ?? inner?.at].filter(Boolean).join('.');
}

function fixOf(check: PolicyCondition, policy: InfrastructurePolicy, type: string): string {
  const path = pathOf(check);
  const inner = check.at
    ? check
    : ([...(check.all ?? []), ...(check.any ?? [])].find(({ at }) => at) ?? check);
  const { is, not, least, most, set, has, unset } = inner;
  const says = type.includes('::') || !type.includes('_') ? ': ' : ' = ';
  const advice = policyFamilyOf(policy).fix;
  if (path === '') return advice;
  if (not?.[0] === 'true') return `Set ${path}${says}false. ${advice}`;
  if (is?.[0] !== undefined && !is[0].includes('*')) return `Set ${path}${says}${is[0]}. ${advice}`;
  if (least !== undefined) return `Set ${path} to ${least} or more. ${advice}`;
  if (most !== undefined) return `Set ${path} to ${most} or less. ${advice}`;
  if (has) return `Set ${path} to ${has.join(', ')}. ${advice}`;
  if (not) return `Set ${path} to something other than ${not.slice(0, 3).join(', ')}. ${advice}`;
  if (unset) return `Remove ${path}. ${advice}`;
  return set ? `Set ${path}. ${advice}` : advice;
}

interface ConditionResult {
  readonly state: 'fine' | 'bad' | 'unknown';
  readonly line: number;
  readonly found?: string;
}

interface ConditionContext {
  readonly resource: ConfigResource;
  readonly others: readonly ConfigResource[];
}

const EVERYWHERE: ReadonlySet<string> = new Set(
  '0.0.0.0/0 ::/0 0.0.0.0 * internet any 0000:0000:0000:0000:0000:0000:0000:0000/0'.split(' '),
);

function evaluateCondition(
  condition: PolicyCondition,
  value: ConfigValue,
  scene: ConditionContext,
): ConditionResult {
  const { when, any, all, each, some, beside, never } = condition;
  const fine: ConditionResult = { state: 'fine', line: value.line };
  if (when) {
    const { state } = evaluateCondition(when, value, scene);
    if (state !== 'fine') return { ...fine, state: state === 'unknown' ? 'unknown' : 'fine' };
  }
  if (never) return { ...fine, state: 'bad' };
  if (beside) return judgeBeside(condition, scene);
  if (each !== undefined || some !== undefined) return judgeWithin(condition, value, scene);
  if (all) return worst(evaluateEach(all, value, scene), value.line);
  if (any) return best(evaluateEach(any, value, scene), value.line);
  return judgePlaces(condition, findValuesAt(value, condition.at ?? ''), value.line, scene);
}

function evaluateEach(
  conditions: readonly PolicyCondition[],
  value: ConfigValue,
  scene: ConditionContext,
): ConditionResult[] {
  return conditions.map((one) => evaluateCondition(one, value, scene));
}

function judgeWithin(
  condition: PolicyCondition,
  value: ConfigValue,
  scene: ConditionContext,
): ConditionResult {
  const { each, some, all = [] } = condition;
  const places = findValuesAt(value, each ?? some ?? '').flatMap(flattenLists);
  const there = places.filter((place) => place.kind !== 'absent');
  if (there.length === 0)
    return absence(condition, places[0]?.line ?? value.line, scene, some ? 'bad' : 'fine');
  const verdicts = there.map((place): ConditionResult => {
    if (place.kind === 'unknown') return { state: 'unknown', line: place.line };
    return worst(evaluateEach(all, place, scene), place.line);
  });
  return each !== undefined ? worst(verdicts, value.line) : best(verdicts, value.line);
}

function judgeBeside(
  { beside = [], all = [] }: PolicyCondition,
  { resource, others }: ConditionContext,
): ConditionResult {
  const named = others.filter(({ type }) => beside.includes(type));
  const verdicts = named
    .filter((one) => refersTo(one.body, resource))
    .map((one) => worst(evaluateEach(all, one.body, { resource: one, others }), one.line));
  return verdicts.length > 0 ? best(verdicts, resource.line) : { state: 'bad', line: resource.line };
}

function refersTo(value: ConfigValue, resource: ConfigResource): boolean {
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

const worst = (verdicts: readonly ConditionResult[], line: number): ConditionResult =>
  verdicts.find(({ state }) => state === 'bad') ??
  verdicts.find(({ state }) => state === 'unknown') ?? { state: 'fine', line };

const best = (verdicts: readonly ConditionResult[], line: number): ConditionResult =>
  verdicts.find(({ state }) => state === 'fine') ??
  verdicts.find(({ state }) => state === 'unknown') ??
  verdicts[0] ?? { state: 'bad', line };

function absence(
  condition: PolicyCondition,
  line: number,
  { resource }: ConditionContext,
  usual: 'fine' | 'bad',
): ConditionResult {
  const state = condition.absent ?? usual;
  return { state: state === 'bad' && resource.partial ? 'unknown' : state, line };
}

function judgePlaces(
  condition: PolicyCondition,
  places: readonly FoundValue[],
  line: number,
  scene: ConditionContext,
): ConditionResult {
  if (condition.has) return judgeList(condition, places, line, scene);
  const whole = condition.set ?? condition.unset;
  const judged = (whole ? places : places.flatMap(flattenLists)).map((place) =>
    judgePlace(condition, place, scene),
  );
  if (judged.length === 0) return absence(condition, line, scene, demands(condition) ? 'bad' : 'fine');
  return worst(judged, line);
}

const demands = ({ is, set, least, has }: PolicyCondition): boolean =>
  (is ?? set ?? least ?? has) !== undefined;

function judgePlace(condition: PolicyCondition, place: FoundValue, scene: ConditionContext): ConditionResult {
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

function isEmpty(place: FoundValue): boolean {
  if (place.kind === 'text') return place.text === '';
  return place.kind === 'list' && place.items.length === 0;
}

function fits({ is, not, least, most, closed }: PolicyCondition, text: string): boolean {
  const small = text.toLowerCase();
  const among = (wanted: readonly string[]) =>
    wanted.some((one) => (one === '*' ? small === '*' : fitsPart(one.toLowerCase(), small)));
  if (is) return among(is);
  if (not) return !among(not);
  if (closed) return !EVERYWHERE.has(small);
  // Removes the unit of durations in Google Cloud's resources, for example `60s`.
  const number = Number(/^\d{1,15}s$/.test(text) ? text.slice(0, -1) : text);
  if (text.trim() === '' || Number.isNaN(number)) return true;
  return (least === undefined || number >= least) && (most === undefined || number <= most);
}

function judgeList(
  condition: PolicyCondition,
  places: readonly FoundValue[],
  line: number,
  scene: ConditionContext,
): ConditionResult {
  const items = places.flatMap(flattenLists);
  const there = items.filter((item) => item.kind !== 'absent');
  if (there.length === 0) return absence(condition, items[0]?.line ?? line, scene, 'bad');
  const texts = new Set(there.flatMap((item) => (item.kind === 'text' ? [item.text.toLowerCase()] : [])));
  if ((condition.has ?? []).every((one) => texts.has(one.toLowerCase()))) return { state: 'fine', line };
  const unsure = there.some((item) => item.kind === 'unknown');
  return { state: unsure ? 'unknown' : 'bad', line: there[0]?.line ?? line };
}
