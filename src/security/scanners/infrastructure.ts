import type { FileScanner } from '../scanner.ts';
import { DOCKERFILE, TERRAFORM } from './infrastructure/file-names.ts';

const YAML = /\.ya?ml$/i;

/** Risky configuration: images, Compose, Kubernetes and Helm, Terraform, GitHub Actions and GitLab pipelines. */
export function createInfrastructureScanner(): FileScanner {
  return {
    name: 'infrastructure',
    past: false,
    wants: (path) => YAML.test(path) || DOCKERFILE.test(path) || TERRAFORM.test(path),
    scan: async (file) => (await import('./infrastructure/search-file.ts')).searchFile(file),
  };
}
