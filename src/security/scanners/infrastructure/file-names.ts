import { posix } from 'node:path';

export const DOCKERFILE_PATH =
  /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i;
export const TERRAFORM_PATH = /\.(?:tf|tofu)$/;
export const TERRAFORM_JSON_PATH = /\.(?:tf|tofu)\.json$/;
export const TERRAFORM_VALUES_PATH = /(?:^|\/)(?:terraform|[^/]*\.auto)\.tfvars$/;
export const YAML_PATH = /\.ya?ml$/i;
/** Extensions of CloudFormation templates that are not YAML. The content decides whether a file is a template. */
export const CLOUDFORMATION_PATH = /\.(?:json|template|cfn|cform|sam)$/i;

export function terraformModuleOf(path: string): string | undefined {
  const isPart = [TERRAFORM_PATH, TERRAFORM_JSON_PATH, TERRAFORM_VALUES_PATH].some((pattern) =>
    pattern.test(path),
  );
  return isPart ? `Terraform in ${posix.dirname(path)}` : undefined;
}
