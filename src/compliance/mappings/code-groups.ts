import { type CheckGroup, infrastructureRuleIds, sourceRuleIds } from './check-group.ts';

export const CODE_GROUPS: Readonly<Record<string, CheckGroup>> = {
  secrets: {
    title: 'secrets in code and its settings',
    checks: [
      'secrets/*',
      ...infrastructureRuleIds('kubernetes-secret-value', 'written-secret-*'),
      ...sourceRuleIds('hard-coded-credentials', 'jwt-hard-coded-secret'),
    ],
    cwe: [259, 321, 798],
  },
  'secret-handling': {
    title: 'secrets that pass through logs, arguments or plain parameters',
    checks: infrastructureRuleIds('docker-secret-argument', 'workflow-printed-secret', 'unhardened-ssm-type'),
    cwe: [522],
  },
  injection: {
    title: 'injection',
    checks: [
      ...sourceRuleIds(
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
      ...infrastructureRuleIds('workflow-script-injection', 'pipeline-eval', 'workflow-unsafe-commands'),
    ],
    cwe: [74, 77, 78, 79, 88, 89, 90, 91, 94, 95, 113, 116, 117, 564, 643, 917, 943, 1336],
  },
  'input-handling': {
    title: 'input that chooses files, addresses, objects or entities',
    checks: sourceRuleIds(
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
    checks: sourceRuleIds('unsafe-deserialisation', 'unsafe-loader'),
    cwe: [502],
  },
  crypto: {
    title: 'weak cryptography in code',
    checks: sourceRuleIds('weak-hash', 'weak-cipher', 'weak-random', 'jwt-unverified'),
    cwe: [326, 327, 328, 330, 338, 347, 916],
  },
  dependencies: {
    title: 'packages with known vulnerabilities',
    checks: ['dependencies/*'],
  },
  pins: {
    title: 'parts of the build without a fixed version or checksum',
    checks: infrastructureRuleIds(
      'docker-unpinned-image',
      'unpinned-image',
      'unpinned-module',
      'workflow-unpinned-action',
      'unhardened-ecr-tags',
      'docker-remote-add',
      'shell-remote-script',
      'shell-unverified-download',
      'pipeline-remote-include',
    ),
    cwe: [494, 829],
  },
  'signed-code': {
    title: 'code and images that run without a check of their signature',
    checks: infrastructureRuleIds(
      'unguarded-lambda-signing',
      'unguarded-gke-signing',
      'unguarded-registry-trust',
      'unguarded-registry-quarantine',
      'unhardened-gke-boot',
    ),
  },
  workflows: {
    title: 'dangerous workflows',
    checks: infrastructureRuleIds(
      'workflow-script-injection',
      'workflow-untrusted-checkout',
      'workflow-unsafe-commands',
      'workflow-printed-secret',
    ),
  },
  disclosure: {
    title: 'where to report vulnerabilities',
    // Includes only an invalid security.txt, since standards do not require one.
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
