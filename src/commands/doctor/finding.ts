import type { CommandContext } from '../../command.ts';

export interface DoctorRemark {
  /** `good`: works. `note`: works, with a remark. `problem`: does not work. `left`: not checked. */
  readonly state: 'good' | 'note' | 'problem' | 'left';
  readonly says: string;
  readonly mend?: string | undefined;
}

export interface DoctorCheck {
  readonly what: string;
  readonly online?: true;
  run(ctx: CommandContext): Promise<DoctorRemark | readonly (DoctorRemark | false)[]>;
}

const remark =
  (state: DoctorRemark['state']) =>
  (says: string, mend?: string): DoctorRemark => ({ state, says, mend });

export const [good, note, problem, left] = [
  remark('good'),
  remark('note'),
  remark('problem'),
  remark('left'),
];
