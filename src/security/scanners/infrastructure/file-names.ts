import { posix } from 'node:path';

export const DOCKERFILE =
  /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i;
export const TERRAFORM = /\.(?:tf|tofu)$/;
export const TERRAFORM_JSON = /\.(?:tf|tofu)\.json$/;
/** Files whose values Terraform assigns to the variables of a root module automatically. */
export const TERRAFORM_VALUES = /(?:^|\/)(?:terraform|[^/]*\.auto)\.tfvars$/;
export const YAML = /\.ya?ml$/i;
/** File extensions of CloudFormation templates other than YAML; the content decides which files are templates. */
export const TEMPLATE = /\.(?:json|template|cfn|cform|sam)$/i;

/** Returns a name for the module that a Terraform file belongs to: all such files of one folder. */
export function moduleOf(path: string): string | undefined {
  const isPart = [TERRAFORM, TERRAFORM_JSON, TERRAFORM_VALUES].some((pattern) => pattern.test(path));
  return isPart ? `Terraform in ${posix.dirname(path)}` : undefined;
}
