import { entriesOf, itemsOf, nodeAt, type YamlNode, type YamlText } from '../yaml-tree.ts';
import type { FencedExpression } from './expression.ts';

export type WorkflowFile = ReturnType<typeof readWorkflow>;
export interface WorkflowStep {
  readonly node: YamlNode;
  readonly job: YamlNode | undefined;
  readonly uses: NonNullable<ReturnType<typeof readUses>> | undefined;
}
export function readWorkflow(document: YamlNode, lines: readonly string[]) {
  const stepsOf = (node: YamlNode | undefined, job?: YamlNode) =>
    itemsOf(nodeAt(node, 'steps')).map((step) => ({ node: step, job, uses: readUses(step, lines) }));
  const jobs = entriesOf(nodeAt(document, 'jobs')).map(([, job]) => job);
  const steps = jobs.flatMap((job) => {
    const uses = readUses(job, lines);
    return uses ? [{ node: job, job, uses }] : stepsOf(job, job);
  });
  const [runs, on] = [nodeAt(document, 'runs'), nodeAt(document, 'on')];
  const names = itemsOf(on).flatMap((one) => (one.kind === 'text' ? one.text : []));
  const triggers = new Map<string, YamlNode | undefined>(
    on?.kind === 'map' ? on.entries : names.map((name) => [name, undefined]),
  );
  // Strangers can start a privileged workflow, and it then runs with the repository's permissions.
  const isPrivileged = triggers.has('pull_request_target') || triggers.has('workflow_run');
  const all = [...steps, ...stepsOf(runs)];
  return { document, lines, triggers, isAction: runs !== undefined, isPrivileged, jobs, steps: all };
}

function readUses(node: YamlNode, lines: readonly string[]) {
  const uses = nodeAt(node, 'uses');
  if (uses?.kind !== 'text') return undefined;
  const { text, line } = uses;
  const [, name = '', ref = ''] = /^([\w-][\w.-]*\/+[\w.-]+)(?:\/[^@]*)?@(.+)$/.exec(text) ?? [];
  const comment = /\s#\s?(.{1,200})/.exec(lines[line - 1] ?? '')?.[1]?.trim() ?? '';
  const major = /^(?:tag=)?v?(\d{1,6})(?:\D|$)/.exec(/^[0-9a-f]{40}$/.test(ref) ? comment : ref)?.[1];
  return { text, line, name: name.toLowerCase(), ref, comment, major: Number(major ?? -1) };
}

const byLowerCase = new WeakMap<YamlNode, ReadonlyMap<string, YamlNode>>();

export function entryAt(node: YamlNode | undefined, name: string): YamlNode | undefined {
  if (node?.kind !== 'map') return undefined;
  const known =
    byLowerCase.get(node) ?? new Map(entriesOf(node).map(([key, one]) => [key.toLowerCase(), one]));
  byLowerCase.set(node, known);
  return known.get(name.toLowerCase());
}

export function inputOf({ node }: WorkflowStep, name: string): YamlText | undefined {
  const found = entryAt(nodeAt(node, 'with'), name);
  return found?.kind === 'text' ? found : undefined;
}

export function textsIn(node: YamlNode | undefined): YamlText[] {
  if (node?.kind === 'text') return [node];
  return (node?.kind === 'list' ? node.items : entriesOf(node).map(([, one]) => one)).flatMap(textsIn);
}

/** Positions of each `${{` in a file. `before` has the number of positions before each line. */
interface Fences {
  readonly places: readonly { readonly line: number; readonly column: number }[];
  readonly before: readonly number[];
}

const fencesByLines = new WeakMap<readonly string[], Fences>();

function fencesIn(lines: readonly string[]): Fences {
  const known = fencesByLines.get(lines);
  if (known) return known;
  const places: { line: number; column: number }[] = [];
  const before = lines.map((text, at) => {
    const count = places.length;
    for (let column = text.indexOf('${{'); column >= 0; column = text.indexOf('${{', column + 3))
      places.push({ line: at + 1, column: column + 3 });
    return count;
  });
  fencesByLines.set(lines, { places, before });
  return { places, before };
}

const MAX_LINES = 1000;
/** Matches the end of a YAML line whose value begins on the next line, for example `if: >-`. */
const BENEATH = /[|>:][-+\d]{0,3}\s{0,9}$/;

export function lineOfFence(fence: FencedExpression, { line, text }: YamlText, lines: readonly string[]) {
  // In a condition (`if:`), `${{` may be missing. The expression then begins on this line or on the next line.
  if (!text.startsWith('${{', fence.start))
    return line + (BENEATH.test(lines[line - 1]?.slice(-20) ?? '') ? 1 : 0);
  const { places, before } = fencesIn(lines);
  const place = places[(before[line - 1] ?? 0) + fence.index];
  const [first = ''] = fence.source.split('\n', 1);
  const isNear = place && place.line <= line + (text.includes('\n') ? MAX_LINES : 2);
  return isNear && lines[place.line - 1]?.startsWith(first.trimEnd(), place.column) ? place.line : line;
}
