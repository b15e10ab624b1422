import type { Severity } from '../../../lib/severity.ts';
import classes from './checkov-classes.json' with { type: 'json' };
import written from './programs.json' with { type: 'json' };

export interface ExternalProgram {
  readonly name: string;
  /** Returns arguments to scan `folder` and write SARIF to `report`. They turn off telemetry if possible. */
  args(folder: string, report: string): readonly string[];
  readonly reportName?: string;
  readonly ended: readonly number[];
  readonly cwe?: string;
  /** CWE ids by rule id, for results without a CWE id. If a rule is not listed, `cwe` is used. */
  readonly classes?: ReadonlyMap<string, string>;
  readonly reaches?: string;
  readonly severity?: Severity;
}

/** CWE ids of checkov 3.3's checks. With them, its findings are merged with Magpie's own findings. */
const CHECKOV_CLASSES: ReadonlyMap<string, string> = new Map(
  classes.flatMap(({ cwe, checks }) => checks.map((check) => [check, cwe] as const)),
);

export const EXTERNAL_PROGRAMS: readonly ExternalProgram[] = written.programs.map(
  ({ about: _, args, severity, ...program }) => ({
    ...program,
    args: (folder, report) =>
      args.map((one) => one.replace(/\{(\w{1,9})\}/, (_, name) => (name === 'folder' ? folder : report))),
    severity: severity as Severity | undefined,
    classes: program.name === 'checkov' ? CHECKOV_CLASSES : undefined,
  }),
);
/** Files that can configure external scanners or make them run code. The scanners do not get such files. */
export const SCANNER_STEERING_FILES: ReadonlySet<string> = new Set(written.steeringFiles);
