import { ACCESS_GROUPS } from './access-groups.ts';
import type { CheckGroup } from './check-group.ts';
import { CODE_GROUPS } from './code-groups.ts';
import { DATA_GROUPS } from './data-groups.ts';
import { OPERATION_GROUPS } from './operation-groups.ts';
import { SERVICE_GROUPS } from './service-groups.ts';

/** All check groups by name. Files in `mappings/` assign groups to controls; tests compare both with the existing rules. */
export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = {
  ...CODE_GROUPS,
  ...SERVICE_GROUPS,
  ...ACCESS_GROUPS,
  ...DATA_GROUPS,
  ...OPERATION_GROUPS,
};
