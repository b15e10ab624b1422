import { posix } from 'node:path';

export const DOCKERFILE_PATH =
  /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i;
export const TERRAFORM_PATH = /\.(?:tf|tofu)$/;
export const TERRAFORM_JSON_PATH = /\.(?:tf|tofu)\.json$/;
/** Paths of files whose values Terraform assigns automatically to the variables of a root module. */
export const TERRAFORM_VALUES_PATH = /(?:^|\/)(?:terraform|[^/]*\.auto)\.tfvars$/;
export const YAML_PATH = /\.ya?ml$/i;
/** File extensions of CloudFormation templates other than YAML; the content decides which files are templates. */
export const CLOUDFORMATION_PATH = /\.(?:json|template|cfn|cform|sam)$/i;

/** Returns a name for the module that a Terraform file belongs to. All Terraform files of one folder form a module. */
export function terraformModuleOf(path: string): string | undefined {
  const isPart = [TERRAFORM_PATH, TERRAFORM_JSON_PATH, TERRAFORM_VALUES_PATH].some((pattern) =>
    pattern.test(path),
  );
  return isPart ? `Terraform in ${posix.dirname(path)}` : undefined;
}
