/** Adds a file's extension to the reason why the file is skipped: `not Markdown or text (.canvas)`. */
export function addExtensionToReason(why: string, name: string): string {
  const [end] = /\.[a-z0-9]{1,10}$/i.exec(name) ?? [];
  return end === undefined ? why : `${why} (${end.toLowerCase()})`;
}
