import { asList, asObject, asTrimmedText, parseTimeMicros } from '../importing/import-values.ts';
import type { Turn } from './conversation.ts';
import type { LeftOut } from './left-out.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns a message of Claude's export with its artifacts, attached texts and file names. Undefined if it has no text. */
export function claudeTurn(message: Values, leftOut: LeftOut): Turn | undefined {
  const said = asList(message.content).flatMap((part) => textOfPart(asObject(part), leftOut));
  // Older exports have the message only in the field `text`.
  const texts = said.length > 0 ? said : [asTrimmedText(message.text)].filter((text) => text !== undefined);
  const attached = asList(message.attachments).flatMap((one) => {
    const { file_name: name, extracted_content: text } = asObject(one);
    return fileText(asTrimmedText(name), asTrimmedText(text));
  });
  const files = asList(message.files).flatMap((one) =>
    fileText(asTrimmedText(asObject(one).file_name), undefined),
  );
  const text = [...new Set([...texts, ...attached, ...files])].join('\n\n');
  const speaker = message.sender === 'human' ? 'Me' : 'Claude';
  return text === '' ? undefined : { speaker, text, at: parseTimeMicros(message.created_at) };
}

function fileText(name: string | undefined, text: string | undefined): string[] {
  if (text === undefined) return name === undefined ? [] : [`Attachment: ${name}`];
  return [`${name ?? 'Attachment'}:\n${text}`];
}

const LEFT_OUT: Readonly<Record<string, string>> = {
  thinking: 'a thought of Claude',
  redacted_thinking: 'a thought of Claude',
  tool_use: 'a call of a tool',
  tool_result: 'an answer of a tool',
  image: 'a picture',
};

function textOfPart(part: Values, leftOut: LeftOut): string[] {
  const type = asTrimmedText(part.type) ?? 'text';
  if (type === 'tool_use') {
    const written = writtenText(asObject(part.input));
    if (written !== undefined) return [written];
  } else if (!Object.hasOwn(LEFT_OUT, type)) {
    const words = [asTrimmedText(part.title), asTrimmedText(part.text)].filter((text) => text !== undefined);
    if (words.length > 0) return [words.join('\n')];
  }
  if (type !== 'text' && type !== 'token_budget')
    leftOut.add(LEFT_OUT[type] ?? 'a part of a message without text');
  return [];
}

function writtenText(input: Values): string | undefined {
  const find = (...names: string[]) =>
    names.map((name) => asTrimmedText(input[name])).find((text) => text !== undefined);
  const text = find('content', 'file_text');
  const [before, after] = [find('old_str'), find('new_str')];
  if (text === undefined && after === undefined && before === undefined) return undefined;
  const title = find('title', 'path', 'id') ?? 'Artifact';
  if (text !== undefined) return `${title}:\n${text}`;
  return [
    `${title}, changed:`,
    before !== undefined && `from: ${before}`,
    after !== undefined && `to: ${after}`,
  ]
    .filter(Boolean)
    .join('\n');
}
