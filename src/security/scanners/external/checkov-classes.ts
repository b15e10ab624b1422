import classes from './checkov-classes.json' with { type: 'json' };

/** CWE ids of checkov's checks (checkov 3.3). Findings with the same CWE id are merged with Magpie's own. */
export const CHECKOV_CLASSES: ReadonlyMap<string, string> = new Map(
  classes.flatMap(({ cwe, checks }) => checks.map((check) => [check, cwe] as const)),
);
