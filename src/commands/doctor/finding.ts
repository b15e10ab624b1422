import type { CommandContext } from '../../command.ts';

export interface DoctorFinding {
  /** `good`: works. `note`: works, with a remark. `problem`: does not work. `left`: not checked. */
  readonly state: 'good' | 'note' | 'problem' | 'left';
  readonly what: string;
  readonly says: string;
  readonly mend?: string;
}

export interface DoctorCheck {
  readonly what: string;
  readonly online?: true;
  run(ctx: CommandContext): Promise<readonly DoctorFinding[]>;
}

export function createDoctorFindings(what: string) {
  const one =
    (state: DoctorFinding['state']) =>
    (says: string, mend?: string): DoctorFinding => ({
      state,
      what,
      says,
      ...(mend !== undefined && { mend }),
    });
  return { good: one('good'), note: one('note'), problem: one('problem'), left: one('left') };
}
