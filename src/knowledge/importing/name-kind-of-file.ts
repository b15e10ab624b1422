/** Names the kind of a file that is left out by the end of its name, as in `not Markdown or text (.canvas)`. */
export function nameKindOfFile(why: string, name: string): string {
  const [end] = /\.[a-z0-9]{1,10}$/i.exec(name) ?? [];
  return end === undefined ? why : `${why} (${end.toLowerCase()})`;
}
