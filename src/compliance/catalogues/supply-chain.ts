import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** SLSA 1.1, its build track by level and who has to do it. */
export const slsa: Catalogue = {
  id: 'slsa',
  title: 'Supply-chain Levels for Software Artifacts (SLSA), build track',
  edition: '1.1 (April 2025)',
  source: 'https://slsa.dev/spec/v1.1/requirements',
  license: 'Community Specification License 1.0 (The Linux Foundation); wording by Magpie',
  spellings: ['slsa-1.1', 'slsa 1.1', 'slsa v1.1', 'slsa-build', 'supply-chain levels'],
  controls: async () => controlsFrom(SLSA),
};

/** The checks of OpenSSF Scorecard, as of its version 5. What needs the hosting platform's settings is manual. */
export const scorecard: Catalogue = {
  id: 'openssf-scorecard',
  title: 'OpenSSF Scorecard checks',
  edition: '5',
  source: 'https://github.com/ossf/scorecard/blob/main/docs/checks.md',
  license: 'Apache-2.0 (OpenSSF Scorecard authors; names of checks); wording by Magpie',
  spellings: ['scorecard', 'ossf', 'ossf-scorecard', 'openssf', 'scorecards'],
  controls: async () => controlsFrom(SCORECARD),
};

const SLSA = `
# Producer
producer-platform Builds run on a platform that can reach the level that is wanted (levels 1 to 3) => part practice/continuous-integration
producer-process Builds follow one consistent process, written down as code (levels 1 to 3) => part practice/continuous-integration pins practice/pinned-actions
producer-provenance Provenance goes to the consumers of each package (levels 1 to 3) => part practice/provenance
# Build platform: provenance
provenance-exists Provenance says how each package was built: from what, by what, how (level 1) => part practice/provenance
provenance-authentic Consumers can check that provenance is whole and comes from the build platform (level 2) => part practice/provenance
provenance-unforgeable The builds themselves cannot forge their provenance (level 3)
# Build platform: isolation
isolation-hosted Builds run on a hosted platform, not on anyone's own machine (level 2) => part practice/continuous-integration
isolation-isolated Builds run apart, so that no other build can influence them (level 3) => part workflows privilege
`;

const SCORECARD = `
# Source risks
Binary-Artifacts The repository has no executables or other built files => whole practice/no-binaries
Branch-Protection The main branches are protected from force pushes and from changes without review
Code-Review Changes are reviewed by somebody else before they are merged => part practice/code-owners
Contributors People of several organisations work on the project
Dangerous-Workflow No workflow runs foreign code or text with the repository's rights => whole workflows
License A license says how the code may be used => whole practice/license
Maintained The project is still worked on
Security-Policy A policy says how to report a vulnerability => whole practice/security-policy
Token-Permissions The tokens of workflows have no more rights than they need => whole infrastructure/workflow-broad-permissions infrastructure/workflow-default-permissions
Webhooks Webhooks of the repository are authenticated by a secret
# Build risks
CI-Tests Tests are run before changes are merged => part practice/continuous-integration practice/tests
CII-Best-Practices The project has an OpenSSF Best Practices badge
Dependency-Update-Tool A tool proposes updates of dependencies => whole practice/dependency-updates
Fuzzing The code is fuzzed => part practice/fuzzing
Packaging Packages are published by an automatic workflow => part practice/continuous-integration
Pinned-Dependencies What the build takes in is fixed by version and hash => whole pins practice/pinned-actions practice/lockfiles
SAST Code is searched for faults by a static analysis => whole practice/static-analysis
SBOM A bill of materials is published with the software => part practice/bill-of-materials
Signed-Releases Releases are signed, or come with provenance => part practice/provenance
Vulnerabilities No dependency has a known vulnerability that is not fixed => whole dependencies
`;
