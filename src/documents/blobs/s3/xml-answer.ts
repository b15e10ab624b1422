import { Parser } from 'htmlparser2';

export type XmlAnswer = ReturnType<typeof parseXmlAnswer>;

/** Parses XML without attributes. `of` returns the text of the first element with the given name. */
export function parseXmlAnswer(text: string) {
  const found: { readonly path: readonly string[]; readonly at: number; readonly text: string }[] = [];
  const path: { readonly name: string; readonly at: number; text: string }[] = [];
  let count = 0;
  const parser = new Parser(
    {
      onopentag: (name) => void path.push({ name, at: count++, text: '' }),
      ontext(piece) {
        const last = path.at(-1);
        if (last) last.text += piece;
      },
      onclosetag() {
        const ended = path.pop();
        if (!ended) return;
        const above = path.at(-1);
        found.push({ path: [above?.name ?? '', ended.name], at: above?.at ?? -1, text: ended.text.trim() });
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return {
    of: (name: string) => found.find((one) => one.path[1] === name)?.text,
    each(name: string): ReadonlyMap<string, string>[] {
      const groups = new Map<number, Map<string, string>>();
      for (const { path: names, at, text: value } of found) {
        if (names[0] !== name) continue;
        const group = groups.get(at) ?? new Map<string, string>();
        group.set(names[1] ?? '', value);
        groups.set(at, group);
      }
      return [...groups.values()];
    },
  };
}
