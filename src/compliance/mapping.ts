/** Checks that belong together, so that standards with the same demand name the same checks. */
export interface CheckGroup {
  /** What was checked, as reports name it. */
  readonly title: string;
  /**
   * Rules of scanners (`source/sql-injection`, `secrets/*`), problems that monitor checks find (`certificate/*`), vulnerable
   * packages (`dependencies/*`), and practices of repositories (`practice/tests`).
   */
  readonly checks: readonly string[];
  /** Weaknesses whose findings count as well, whichever scanner found them: numbers of CWE. */
  readonly cwe?: readonly number[];
}

const infrastructure = (...names: string[]) => names.map((name) => `infrastructure/${name}`);
const source = (...names: string[]) => names.map((name) => `source/${name}`);

/** Every group by its name. A test compares each check with the rules that exist. */
export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = {
  secrets: {
    title: 'secrets in code and its settings',
    checks: [
      'secrets/*',
      ...infrastructure(
        'docker-secret-argument',
        'kubernetes-secret-value',
        'workflow-printed-secret',
        'written-secret-*',
      ),
      ...source('hard-coded-credentials', 'jwt-hard-coded-secret'),
    ],
    cwe: [259, 321, 522, 798],
  },
  injection: {
    title: 'injection',
    checks: [
      ...source(
        'sql-injection',
        'nosql-injection',
        'command-injection',
        'code-injection',
        'template-injection',
        'ldap-injection',
        'xpath-injection',
        'cross-site-scripting',
        'escaping-off',
        'log-injection',
      ),
      ...infrastructure('workflow-script-injection', 'pipeline-eval', 'workflow-unsafe-commands'),
    ],
    cwe: [74, 77, 78, 79, 88, 89, 90, 91, 94, 95, 113, 116, 117, 564, 643, 917, 943, 1336],
  },
  'input-handling': {
    title: 'input that chooses files, addresses, objects or entities',
    checks: source(
      'path-traversal',
      'server-side-request-forgery',
      'open-redirect',
      'unsafe-deserialisation',
      'unsafe-loader',
      'xml-external-entities',
      'prototype-pollution',
      'trust-boundary',
      'mass-assignment',
      'regular-expression-injection',
      'slow-regular-expression',
    ),
    cwe: [20, 22, 501, 502, 601, 611, 915, 918, 1321, 1333],
  },
  deserialisation: {
    title: 'unsafe deserialisation',
    checks: source('unsafe-deserialisation', 'unsafe-loader'),
    cwe: [502],
  },
  crypto: {
    title: 'weak cryptography in code',
    checks: source('weak-hash', 'weak-cipher', 'weak-random', 'jwt-unverified'),
    cwe: [326, 327, 328, 330, 338, 347, 916],
  },
  'transport-settings': {
    title: 'unprotected transport in code and infrastructure files',
    checks: [
      ...source('tls-verification-off', 'weak-tls-version'),
      ...infrastructure(
        'old-tls-*',
        'plain-transport-*',
        'kubernetes-plain-ingress',
        'pipeline-plain-docker',
        'shell-unverified-download',
      ),
    ],
    cwe: [295, 319],
  },
  'live-tls': {
    title: 'certificates, protocols and redirection to HTTPS of the running service',
    checks: [
      'certificate/*',
      'protocol/*',
      'redirection/missing',
      'redirection/not-to-https',
      'redirection/untrusted',
    ],
  },
  headers: { title: 'security headers of the running service', checks: ['headers/*'] },
  scripts: {
    title: 'what keeps foreign scripts out of pages of the running service',
    checks: [
      'headers/csp-missing',
      'headers/csp-invalid',
      'headers/csp-unsafe-inline',
      'headers/csp-unsafe-eval',
      'headers/csp-insecure-scheme',
      'headers/scripts-unpinned',
      'headers/scripts-insecure',
    ],
  },
  cookies: {
    title: 'flags of cookies',
    checks: ['cookies/*', ...source('insecure-cookie', 'cookie-readable-by-script')],
    cwe: [614, 1004],
  },
  'open-ports': { title: 'open ports of the running service', checks: ['ports/*'] },
  exposure: {
    title: 'services and storage that infrastructure files open to everyone',
    checks: infrastructure(
      'cloud-open-port',
      'cloud-public-storage',
      'cloud-public-database',
      'cloud-public-principal',
      'published-database',
      'docker-ssh-port',
      'public-*',
      'network-*',
    ),
    cwe: [284, 668],
  },
  rights: {
    title: 'roles and policies in infrastructure files that allow too much',
    checks: infrastructure(
      'kubernetes-wildcard-role',
      'kubernetes-cluster-admin',
      'kubernetes-anonymous-role',
      'cloud-wildcard-policy',
      'cloud-wildcard-action',
      'cloud-wildcard-resource',
      'cloud-not-action',
      'cloud-ruling-service',
      'cloud-service-wildcard',
      'cloud-privilege-escalation',
      'cloud-pass-role',
      'cloud-credentials-for-all',
      'cloud-secrets-for-all',
      'cloud-public-trust',
      'cloud-open-federation',
      'rights-*',
      'workflow-broad-permissions',
      'workflow-default-permissions',
    ),
    cwe: [269, 732],
  },
  privilege: {
    title: 'more rights than needed in infrastructure files',
    checks: infrastructure(
      'docker-root-user',
      'container-privileged',
      'container-capability',
      'container-run-as-root',
      'container-privilege-escalation',
      'kubernetes-wildcard-role',
      'kubernetes-cluster-admin',
      'kubernetes-anonymous-role',
      'cloud-wildcard-policy',
      'cloud-ruling-service',
      'cloud-privilege-escalation',
      'rights-*',
      'workflow-broad-permissions',
      'workflow-default-permissions',
      'shell-world-writable',
    ),
    cwe: [250, 269, 732],
  },
  isolation: {
    title: 'containers that reach their host',
    checks: infrastructure(
      'container-docker-socket',
      'container-host-namespace',
      'container-host-path',
      'container-unconfined',
      'container-writable-root',
    ),
  },
  hardening: {
    title: 'unsafe defaults in code and infrastructure files',
    checks: [...source('debug-on'), ...infrastructure('unhardened-*', 'cluster-*', 'container-*')],
    cwe: [489, 1188],
  },
  limits: {
    title: 'missing limits on resources',
    checks: infrastructure('container-no-memory-limit'),
    cwe: [400, 770],
  },
  'data-at-rest': {
    title: 'storage without encryption in infrastructure files',
    checks: infrastructure('unencrypted-*', 'provider-key-*', 'no-rotation-*'),
    cwe: [311],
  },
  'key-rotation': {
    title: 'keys without rotation',
    checks: infrastructure('no-rotation-*'),
    cwe: [324],
  },
  logging: {
    title: 'services without logs in infrastructure files',
    checks: infrastructure('no-log-*'),
    cwe: [778],
  },
  recovery: {
    title: 'data without backups or protection from deletion in infrastructure files',
    checks: infrastructure('no-backup-*', 'deletable-*'),
  },
  authentication: {
    title: 'weak authentication in infrastructure files',
    checks: infrastructure('weak-login-*', 'rights-user-policy'),
    cwe: [287, 306],
  },
  patching: {
    title: 'services without automatic updates in infrastructure files',
    checks: infrastructure('outdated-*'),
    cwe: [1329],
  },
  detection: {
    title: 'missing filters and detection in infrastructure files',
    checks: infrastructure('unguarded-*'),
    cwe: [693],
  },
  dependencies: {
    title: 'packages with known vulnerabilities',
    checks: ['dependencies/*'],
  },
  pins: {
    title: 'parts of the build without a fixed version or checksum',
    checks: infrastructure(
      'docker-unpinned-image',
      'unpinned-image',
      'unpinned-module',
      'workflow-unpinned-action',
      'unhardened-ecr-tags',
      'docker-remote-add',
      'shell-remote-script',
      'pipeline-remote-include',
    ),
    cwe: [494, 829],
  },
  workflows: {
    title: 'dangerous workflows',
    checks: infrastructure(
      'workflow-script-injection',
      'workflow-untrusted-checkout',
      'workflow-unsafe-commands',
      'workflow-printed-secret',
    ),
  },
  availability: { title: 'whether the running service answers', checks: ['reachability/*'] },
  mail: {
    title: 'DNS records that protect mail of the domain',
    checks: ['dns/spf-missing', 'dns/spf-invalid', 'dns/dmarc-missing', 'dns/dmarc-none'],
  },
  disclosure: {
    title: 'where to report vulnerabilities',
    // No standard requires a security.txt: a missing one counts against nothing, an invalid one does.
    checks: ['practice/security-policy', 'security-txt/invalid', 'security-txt/expired'],
  },
  development: {
    title: 'development practices of the repository',
    checks: [
      'practice/continuous-integration',
      'practice/tests',
      'practice/code-owners',
      'practice/contributing',
    ],
  },
  'supply-chain': {
    title: 'how the repository takes in third-party code',
    checks: ['practice/lockfiles', 'practice/dependency-updates', 'practice/pinned-actions'],
  },
};
