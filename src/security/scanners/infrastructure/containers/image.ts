/** True if an image name does not fix its version. Names with variables are excluded, since others fill them in. */
export function isUnpinnedImage(image: string): boolean {
  if (image === '' || image.includes('@sha256:') || /[${}]/.test(image)) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = /:([^:]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest';
}
