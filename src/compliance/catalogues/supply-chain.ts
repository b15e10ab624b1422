import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** SLSA 1.2, its build and source tracks by who has to do it; `source-` ids are the specification's own. */
export const slsa: Catalogue = {
  id: 'slsa',
  title: 'Supply-chain Levels for Software Artifacts (SLSA), build and source tracks',
  edition: '1.2 (November 2025)',
  source: 'https://slsa.dev/spec/v1.2/',
  license: 'Community Specification License 1.0 (The Linux Foundation); wording by Magpie',
  spellings: [
    'slsa 1',
    'slsa 1.0',
    'slsa 1.1',
    'slsa 1.2',
    'slsa build',
    'slsa source',
    'supply-chain levels',
  ],
  controls: async () => controlsFrom(SLSA),
};

/** The checks of OpenSSF Scorecard, as of its version 5. What needs the hosting platform's settings is manual. */
export const scorecard: Catalogue = {
  id: 'openssf-scorecard',
  title: 'OpenSSF Scorecard checks',
  edition: '5 (all 20 checks as of August 2026)',
  source: 'https://github.com/ossf/scorecard/blob/main/docs/checks.md',
  license: 'Apache-2.0 (OpenSSF Scorecard authors; names of checks); wording by Magpie',
  spellings: ['scorecard', 'scorecards', 'ossf', 'ossf scorecard', 'openssf', 'openssf scorecards'],
  controls: async () => controlsFrom(SCORECARD),
};

const SLSA = `
# Producer
producer-platform Builds run on a platform that can reach the level that is wanted (levels 1 to 3)
producer-process Builds follow one consistent process, written down as code (levels 1 to 3)
producer-provenance Provenance goes to the consumers of each package (levels 1 to 3)
# Build platform: provenance
provenance-exists Provenance says how each package was built: from what, by what, how (level 1)
provenance-authentic Consumers can check that provenance is whole and comes from the build platform (level 2)
provenance-unforgeable The builds themselves cannot forge their provenance (level 3)
# Build platform: isolation
isolation-hosted Builds run on a hosted platform, not on anyone's own machine (level 2)
isolation-isolated Builds run apart, so that no other build can influence them (level 3)
# Source track: organisation
source-choose-scs The source is kept in a system that can reach the level that is wanted (levels 1 to 4)
source-access-and-history Access is restricted, history is reliable, and tags do not move (levels 2 to 4)
source-safe-expunging-process Content is removed from history only for law or privacy, by a written process (levels 2 to 4)
source-technical-controls Every claim about how the source is made is enforced all the time (levels 3 and 4)
# Source track: source control system
source-repository-ids Each repository has an address that stays (levels 1 to 4)
source-revision-ids Revisions do not change, and each has an id of its own (levels 1 to 4)
source-human-readable-diff Changes can be read as differences (levels 1 to 4)
source-source-summary The system states the level of each revision in an attestation (levels 1 to 4)
source-history Who moved a branch, when and to what is recorded, and branches only go forward (levels 2 to 4)
source-continuity Each control has held without a gap since a known revision (levels 2 to 4)
source-identity-management People and their roles are identified and authenticated (levels 2 to 4)
source-source-provenance The system attests how each revision came to be, as it happens (levels 2 to 4)
source-protected-refs Branches and tags can be protected by rules of the organisation (levels 3 and 4)
source-two-party-review Two trusted persons agree to each change (level 4)
`;

const SCORECARD = `
# Source risks
Binary-Artifacts The repository has no executables or other built files
Branch-Protection The main branches are protected from force pushes and from changes without review
Code-Review Changes are reviewed by another person before they are merged
Contributors People of several organisations work on the project
Dangerous-Workflow No workflow runs foreign code or text with the repository's rights
License A license says how the code may be used
Maintained The project is still worked on
Security-Policy A policy says how to report a vulnerability
Token-Permissions The tokens of workflows have no more rights than they need
Webhooks Webhooks of the repository are authenticated by a secret
# Build risks
CI-Tests Tests are run before changes are merged
CII-Best-Practices The project has an OpenSSF Best Practices badge
Dependency-Update-Tool A tool proposes updates of dependencies
Fuzzing The code is fuzzed
Packaging Packages are published by an automatic workflow
Pinned-Dependencies What the build takes in is fixed by version and hash
SAST Code is searched for bugs by static analysis
SBOM A bill of materials is published with the software
Signed-Releases Releases are signed, or come with provenance
Vulnerabilities No dependency has a known vulnerability that is not fixed
`;
