export const DOCKERFILE =
  /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i;
export const TERRAFORM = /\.(?:tf|tofu)$/;
export const YAML = /\.ya?ml$/i;
/** CloudFormation has templates under these names too; which they are, their content says. */
export const TEMPLATE = /\.(?:json|template|cfn|cform|sam)$/i;
