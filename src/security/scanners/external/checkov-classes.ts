/**
 * Weaknesses of checkov's checks, which name none themselves, for those that our own scanner of infrastructure finds
 * too: by them the same problem is reported once. Ids and meanings are those of checkov 3.3 (its policy index).
 */
export const CHECKOV_CLASSES: ReadonlyMap<string, string> = new Map([
  // Runs as root, or can become it
  ['CKV_DOCKER_3', 'CWE-250'],
  ['CKV_DOCKER_8', 'CWE-250'],
  ['CKV_K8S_16', 'CWE-250'],
  ['CKV_K8S_20', 'CWE-250'],
  ['CKV_K8S_23', 'CWE-250'],
  // External code without a fixed version
  ['CKV_DOCKER_7', 'CWE-829'],
  ['CKV_K8S_14', 'CWE-829'],
  // Open to the whole internet
  ['CKV_AWS_24', 'CWE-284'],
  ['CKV_AWS_25', 'CWE-284'],
  ['CKV_AWS_260', 'CWE-284'],
  // Storage that anyone can read or write
  ['CKV_AWS_20', 'CWE-732'],
  ['CKV_AWS_57', 'CWE-732'],
  // A root file system that may be written
  ['CKV_K8S_22', 'CWE-732'],
]);
