import type { CommandContext } from '../../command.ts';

export interface Finding {
  /** `good`: works; `note`: works, with a remark; `problem`: does not work; `left`: not checked. */
  readonly state: 'good' | 'note' | 'problem' | 'left';
  readonly what: string;
  readonly says: string;
  readonly mend?: string;
}

/** A check of `magpie doctor`. If it throws, that is a problem. */
export interface Examination {
  readonly what: string;
  readonly online?: true;
  run(ctx: CommandContext): Promise<readonly Finding[]>;
}

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
