export function isUnpinnedImage(image: string): boolean {
  if (image === '' || image.includes('@sha256:') || /[${}]/.test(image)) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = /:([^:]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest';
}
