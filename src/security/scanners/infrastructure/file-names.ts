export const DOCKERFILE =
  /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i;
export const TERRAFORM = /\.(?:tf|tofu)$/;
