import type { FileScanner } from '../scans/scanner.ts';
import {
  CLOUDFORMATION_PATH,
  DOCKERFILE_PATH,
  TERRAFORM_PATH,
  terraformModuleOf,
  YAML_PATH,
} from './infrastructure/file-names.ts';

export const createInfrastructureScanner = (): FileScanner => ({
  name: 'infrastructure',
  past: false,
  wants: (path) =>
    [YAML_PATH, DOCKERFILE_PATH, TERRAFORM_PATH, CLOUDFORMATION_PATH].some((pattern) => pattern.test(path)),
  scan: async (file, { leave }) =>
    (await import('./infrastructure/search-file.ts')).searchConfigFile(file, leave),
  together: {
    always: true,
    reads: 'what the module says in other files of',
    groupsOf(path) {
      const module = terraformModuleOf(path);
      return module === undefined ? [] : [module];
    },
    scan: async (files, _, begin) =>
      (await import('./infrastructure/terraform/search-module.ts')).searchTerraformModule(files, begin),
  },
});
