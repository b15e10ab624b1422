/** True if an image name does not fix its version. False for names with variables, whose values are set elsewhere. */
export function isUnpinnedImage(image: string): boolean {
  if (image === '' || image.includes('@sha256:') || /[${}]/.test(image)) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = /:([^:]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest';
}
