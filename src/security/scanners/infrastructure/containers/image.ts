/** Whether an image's name leaves open which version is meant; variables and templates are given by others. */
export function isUnpinned(image: string): boolean {
  if (image === '' || image.includes('@sha256:') || /[${}]/.test(image)) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = /:([^:]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest';
}
