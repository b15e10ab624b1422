import { Parser } from 'htmlparser2';
import { badRequestError, tooLargeError } from '../../errors.ts';
import type { ImportFile } from '../importing/import-kind.ts';
import { asObject, type ImportFields } from '../importing/import-values.ts';

/** Elements with the bytes of attachments or with text recognized in attachments. They are not read. */
const UNREAD = new Set(['data', 'recognition', 'alternate-data']);
const NOTE_CHARS = 64_000_000;
/** Characters that each element counts towards the size of a note, in addition to the element's text. */
const ELEMENT_CHARS = 100;
const MAX_DEPTH = 20;

/** Yields the notes of an ENEX file as records while it is read. Throws `bad_request` for a file that is cut off. */
export async function* readEnexNotes({ name: file, chunks }: ImportFile): AsyncGenerator<ImportFields> {
  const notes: ImportFields[] = [];
  let chars = 0;
  const grow = (count: number) => {
    chars += count;
    if (chars > NOTE_CHARS) throw tooLargeError(`${file} has a note of over 64 MB`);
  };
  const open: { text: string; readonly name: string; readonly fields: Record<string, unknown> }[] = [];
  const parser = new Parser(
    {
      onopentag(name) {
        if (open.length > MAX_DEPTH) throw badRequestError(`${file} is not an ENEX file`);
        grow(ELEMENT_CHARS);
        open.push({ text: '', name, fields: Object.create(null) });
      },
      ontext(piece) {
        const element = open.at(-1);
        if (element === undefined || UNREAD.has(element.name)) return;
        element.text += piece;
        grow(piece.length);
      },
      onclosetag(name) {
        const { text = '', fields = {} } = open.pop() ?? {};
        const parent = open.at(-1)?.fields;
        const value = Object.keys(fields).length === 0 ? text.trim() : fields;
        const known = parent?.[name];
        if (name === 'note') {
          notes.push(noteOf(fields));
          chars = 0;
        } else if (Array.isArray(known)) known.push(value);
        else if (parent && !UNREAD.has(name)) parent[name] = known === undefined ? value : [known, value];
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  let end = '';
  for await (const chunk of chunks()) {
    const text = decoder.decode(chunk, { stream: true });
    end = `${end}${text}`.slice(-100);
    parser.write(text);
    yield* notes.splice(0);
  }
  if (!/<\/en-export>\s*$/.test(end)) throw badRequestError(`${file} is cut off, or is not an ENEX file`);
}

function noteOf(fields: ImportFields): ImportFields {
  const { tag = [], task = [], resource = [], 'note-attributes': attributes, ...note } = fields;
  return {
    ...note,
    ...asObject(attributes),
    tags: [tag].flat(),
    tasks: [task].flat().map((one) => {
      const { title, taskStatus, ...others } = asObject(one);
      return { ...others, text: title, isChecked: taskStatus === 'completed' };
    }),
    attachments: [resource]
      .flat()
      .map((one) => ({ filename: asObject(asObject(one)['resource-attributes'])['file-name'] })),
  };
}
