import { posix } from 'node:path';

export const DOCKERFILE =
  /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i;
export const TERRAFORM = /\.(?:tf|tofu)$/;
/** The same in JSON. */
export const TERRAFORM_JSON = /\.(?:tf|tofu)\.json$/;
/** Values that Terraform puts into the variables of a root module by itself. */
export const TERRAFORM_VALUES = /(?:^|\/)(?:terraform|[^/]*\.auto)\.tfvars$/;
export const YAML = /\.ya?ml$/i;
/** CloudFormation has templates under these names too; which they are, their content says. */
export const TEMPLATE = /\.(?:json|template|cfn|cform|sam)$/i;

/** The files that Terraform reads as one module: those of one folder. */
export function moduleOf(path: string): string | undefined {
  const isPart = [TERRAFORM, TERRAFORM_JSON, TERRAFORM_VALUES].some((pattern) => pattern.test(path));
  return isPart ? `Terraform in ${posix.dirname(path)}` : undefined;
}
