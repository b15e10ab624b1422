import { SEVERITIES, type Severity } from '../../lib/severity.ts';

const TESTING =
  /(?:^|[/._-])(?:(?:unit|integration|functional|acceptance|smoke|regression|system|api|ui|performance|load|stress)?[-_]?tests?|testing|testdata|specs?|fixtures?|mocks?|__tests__|__mocks__|examples?|samples?|demos?|e2e|stubs?|cypress|playwright|(?:micro)?bench(?:marks?)?|perf|docs?|documentation|tutorials?)(?:[/._-]|$)/i;

/** Matches test folders of Kotlin, Gradle and Maven: `src/jvmTest`, `src/integrationTest`, `src/it`. */
const TEST_SOURCES = /(?:^|\/)src\/(?:it|[a-z][A-Za-z0-9]{0,40}Test(?:s|Fixtures)?)\//;
/** Matches `src/main`. Its subfolders are Java packages, so a folder `test` there does not contain tests. */
const MAIN = /(?:^|\/)src\/main\//;

export function isTestOrExamplePath(path: string): boolean {
  const at = MAIN.exec(path)?.index;
  const known = at === undefined ? path : path.slice(0, at);
  return TESTING.test(known) || TEST_SOURCES.test(known);
}

export const lowerSeverity = (severity: Severity): Severity =>
  SEVERITIES[SEVERITIES.indexOf(severity) + 1] ?? 'info';
