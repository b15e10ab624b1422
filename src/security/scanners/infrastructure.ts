import type { FileScanner } from '../scans/scanner.ts';
import { DOCKERFILE, moduleOf, TEMPLATE, TERRAFORM, YAML } from './infrastructure/file-names.ts';

export function createInfrastructureScanner(): FileScanner {
  return {
    name: 'infrastructure',
    past: false,
    wants: (path) => [YAML, DOCKERFILE, TERRAFORM, TEMPLATE].some((pattern) => pattern.test(path)),
    scan: async (file, { leave }) =>
      (await import('./infrastructure/search-file.ts')).searchFile(file, leave),
    together: {
      always: true,
      reads: 'what the module says in other files of',
      groupsOf(path) {
        const module = moduleOf(path);
        return module === undefined ? [] : [module];
      },
      scan: async (files, _, begin) =>
        (await import('./infrastructure/terraform/search-module.ts')).searchModule(files, begin),
    },
  };
}
