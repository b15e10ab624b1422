import type { Assessment, Status } from './assessment.ts';

/** A control whose status is another than before; `before` is left out for one that was not checked then. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: Status;
  readonly now: Status;
}

/** What is other than at an earlier check. */
export interface Comparison {
  readonly since: string;
  readonly changes: readonly ControlChange[];
  /** Fingerprints of findings that count now and did not then, and the other way round. */
  readonly appeared: readonly string[];
  readonly gone: readonly string[];
}

/** What changed from `before` to `now`, for the standards of `now`. */
export function compare(before: Assessment, now: Assessment): Comparison {
  const then = new Map<string, Status>();
  for (const { standard, controls } of before.standards) {
    for (const { id, status } of controls) then.set(`${standard.id} ${id}`, status);
  }
  const changes: ControlChange[] = [];
  for (const { standard, controls } of now.standards) {
    for (const { id, title, status } of controls) {
      const earlier = then.get(`${standard.id} ${id}`);
      if (earlier === status) continue;
      changes.push({
        standard: standard.id,
        control: id,
        title,
        now: status,
        ...(earlier && { before: earlier }),
      });
    }
  }
  const [old, current] = [countingOf(before), countingOf(now)];
  return {
    since: before.id,
    changes,
    appeared: [...current].filter((one) => !old.has(one)),
    gone: [...old].filter((one) => !current.has(one)),
  };
}

function countingOf({ findings }: Assessment): Set<string> {
  return new Set(
    findings.filter(({ accepted }) => accepted === undefined).map(({ fingerprint }) => fingerprint),
  );
}
