/** CWE ids of checkov's checks (checkov 3.3). Findings with the same CWE id are merged with Magpie's own. */
export const CHECKOV_CLASSES: ReadonlyMap<string, string> = new Map([
  // The container runs as root or can become root.
  ['CKV_DOCKER_3', 'CWE-250'],
  ['CKV_DOCKER_8', 'CWE-250'],
  ['CKV_K8S_16', 'CWE-250'],
  ['CKV_K8S_20', 'CWE-250'],
  ['CKV_K8S_23', 'CWE-250'],
  // External code is used without a fixed version.
  ['CKV_DOCKER_7', 'CWE-829'],
  ['CKV_K8S_14', 'CWE-829'],
  // The resource can be reached from the whole internet.
  ['CKV_AWS_24', 'CWE-284'],
  ['CKV_AWS_25', 'CWE-284'],
  ['CKV_AWS_260', 'CWE-284'],
  ['CKV_AWS_277', 'CWE-284'],
  ['CKV_AZURE_9', 'CWE-284'],
  ['CKV_AZURE_10', 'CWE-284'],
  ['CKV_GCP_2', 'CWE-284'],
  ['CKV_GCP_3', 'CWE-284'],
  ['CKV_GCP_88', 'CWE-668'],
  // A policy grants too many permissions.
  ['CKV_AWS_60', 'CWE-284'],
  ['CKV_AWS_61', 'CWE-284'],
  ['CKV_AWS_393', 'CWE-284'],
  ['CKV_AWS_62', 'CWE-269'],
  ['CKV_AWS_63', 'CWE-269'],
  ['CKV_AWS_110', 'CWE-269'],
  ['CKV_AWS_286', 'CWE-269'],
  ['CKV_AWS_107', 'CWE-522'],
  ['CKV_AWS_287', 'CWE-522'],
  ['CKV_AWS_108', 'CWE-732'],
  ['CKV_AWS_288', 'CWE-732'],
  ['CKV_AWS_111', 'CWE-732'],
  ['CKV_AWS_290', 'CWE-732'],
  ['CKV_AWS_355', 'CWE-732'],
  ['CKV_AWS_356', 'CWE-732'],
  // Anyone can read or write the storage.
  ['CKV_AWS_20', 'CWE-732'],
  ['CKV_AWS_57', 'CWE-732'],
  // The root file system is writable.
  ['CKV_K8S_22', 'CWE-732'],
]);
