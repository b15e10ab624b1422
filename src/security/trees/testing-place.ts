import { SEVERITIES, type Severity } from '../../lib/severity.ts';

const TESTING =
  /(?:^|[/._-])(?:(?:unit|integration|functional|acceptance|smoke|regression|system|api|ui|performance|load|stress)?[-_]?tests?|testing|testdata|specs?|fixtures?|mocks?|__tests__|__mocks__|examples?|samples?|demos?|e2e|stubs?|cypress|playwright|(?:micro)?bench(?:marks?)?|perf|docs?|documentation|tutorials?)(?:[/._-]|$)/i;

/** Kotlin's, Gradle's and Maven's folders of tests: `src/jvmTest`, `src/integrationTest`, `src/it`. */
const TEST_SOURCES = /(?:^|\/)src\/(?:it|[a-z][A-Za-z0-9]{0,40}Test(?:s|Fixtures)?)\//;
/** Names below it are those of packages: Maven and Gradle have tests elsewhere. */
const MAIN = /(?:^|\/)src\/main\//;

/** Tests, examples and documentation, by the path alone: a finding there seldom does harm. */
export function isForTesting(path: string): boolean {
  const at = MAIN.exec(path)?.index;
  const known = at === undefined ? path : path.slice(0, at);
  return TESTING.test(known) || TEST_SOURCES.test(known);
}

/** The next severity down; `info` stays. */
export function oneLower(severity: Severity): Severity {
  return SEVERITIES[SEVERITIES.indexOf(severity) + 1] ?? 'info';
}
