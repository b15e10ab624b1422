import type { CommandContext } from '../../command.ts';

/** What `magpie doctor` says of one thing. */
export interface Finding {
  /** `good`: it works; `note`: it works, and something is to be known; `problem`: it does not work; `left`: it was not checked. */
  readonly state: 'good' | 'note' | 'problem' | 'left';
  readonly what: string;
  readonly says: string;
  /** What mends it. */
  readonly mend?: string;
}

/** One thing that `magpie doctor` checks. A check that throws is a problem. */
export interface Examination {
  readonly what: string;
  /** It sends requests to other servers. */
  readonly online?: true;
  run(ctx: CommandContext): Promise<readonly Finding[]>;
}

/** Findings of one thing, by their state. */
export function findingsOf(what: string) {
  const one =
    (state: Finding['state']) =>
    (says: string, mend?: string): Finding => ({
      state,
      what,
      says,
      ...(mend !== undefined && { mend }),
    });
  return { good: one('good'), note: one('note'), problem: one('problem'), left: one('left') };
}
