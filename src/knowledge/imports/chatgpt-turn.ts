import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { asList, asObject, asTrimmedText, parseTimeMicros } from '../importing/import-values.ts';
import type { Turn } from './conversation.ts';
import { createLeftOut, type LeftOut } from './left-out.ts';

type Values = Readonly<Record<string, unknown>>;
const SPEAKERS: Readonly<Record<string, string>> = { user: 'Me', assistant: 'ChatGPT' };
const OTHERS: Readonly<Record<string, string>> = {
  tool: 'an answer of a tool',
  system: 'a message of the system',
};
const CONTENTS: Readonly<Record<string, string>> = {
  user_editable_context: 'the custom instructions of a conversation',
  thoughts: 'a thought of ChatGPT',
  reasoning_recap: 'a thought of ChatGPT',
};

/** Returns a message that the user saw, with the canvas documents that ChatGPT wrote in it. Undefined for other messages. */
export function chatgptTurn(message: Values, leftOut = createLeftOut('')): Turn | undefined {
  const role = asTrimmedText(asObject(message.author).role) ?? '';
  const speaker = Object.hasOwn(SPEAKERS, role) ? SPEAKERS[role] : undefined;
  const content = asObject(message.content);
  const said = textsOf(content, leftOut).join('\n\n').trim();
  const why = reasonToLeaveOut(message, content, speaker === undefined ? role : undefined);
  if (speaker === undefined || why !== undefined) {
    const written = why === TOOL_CALL ? documentOf(message, said) : undefined;
    if (written !== undefined) return turnOf(speaker ?? '', written, message);
    if (
      why !== undefined &&
      (said !== '' || Object.hasOwn(CONTENTS, asTrimmedText(content.content_type) ?? ''))
    )
      leftOut.add(why);
    return undefined;
  }
  const attached = asList(asObject(message.metadata).attachments).flatMap((one) => {
    const name = asTrimmedText(asObject(one).name);
    return name === undefined ? [] : [`Attachment: ${name}`];
  });
  const words = role === 'assistant' ? withoutMarks(said, leftOut) : said;
  return turnOf(speaker, [words, ...attached].filter(Boolean).join('\n\n'), message);
}

function turnOf(speaker: string, text: string, message: Values): Turn | undefined {
  return text === '' ? undefined : { speaker, text, at: parseTimeMicros(message.create_time) };
}

const TOOL_CALL = 'a call of a tool';

function reasonToLeaveOut(
  message: Values,
  content: Values,
  otherRole: string | undefined,
): string | undefined {
  if (asObject(message.metadata).is_visually_hidden_from_conversation === true) {
    return CONTENTS[asTrimmedText(content.content_type) ?? ''] ?? 'a hidden message';
  }
  if (otherRole !== undefined) return OTHERS[otherRole] ?? 'a message of another speaker';
  if (message.recipient !== undefined && message.recipient !== 'all') return TOOL_CALL;
  return CONTENTS[asTrimmedText(content.content_type) ?? ''];
}

function textsOf(content: Values, leftOut: LeftOut): string[] {
  const parts = content.parts === undefined ? [content.text ?? content.result] : asList(content.parts);
  return parts.flatMap((part) => {
    const text = asTrimmedText(part) ?? asTrimmedText(asObject(part).text);
    if (text !== undefined) return [text];
    const type = asTrimmedText(asObject(part).content_type);
    if (type !== undefined) leftOut.add(/image/.test(type) ? 'a picture' : 'a recording');
    return [];
  });
}

function documentOf({ recipient }: Values, call: string): string | undefined {
  if (!/^canmore\./.test(asTrimmedText(recipient) ?? '')) return undefined;
  const { name, content, updates, comments } = asObject(parseJsonOrNothing(call));
  const text = asTrimmedText(content);
  if (text !== undefined) return `${asTrimmedText(name) ?? 'Document'}:\n${text}`;
  const changes = [...asList(updates), ...asList(comments)].flatMap((one) => {
    const { replacement, comment } = asObject(one);
    return asTrimmedText(replacement) ?? asTrimmedText(comment) ?? [];
  });
  return changes.length === 0 ? undefined : `Document, changed:\n${changes.join('\n')}`;
}

function withoutMarks(text: string, leftOut: LeftOut): string {
  let cited = 0;
  const plain = text
    .replace(/\uE200([^\uE200\uE201]*)\uE201/g, (_, mark: string) => {
      const shown = shownOf(mark.split('\uE202'));
      if (shown === undefined) cited++;
      return shown ?? '';
    })
    .replace(/【\d{1,6}(?::\d{1,6})?†[^【】]{0,200}】/g, () => {
      cited++;
      return '';
    });
  leftOut.add('a mark of a citation', cited);
  return plain.trim();
}

function shownOf([kind = '', value = '', target = '']: readonly string[]): string | undefined {
  if (kind === 'url') return target === '' ? value : `[${value}](${target})`;
  if (kind !== 'entity') return undefined;
  return asTrimmedText(asList(parseJsonOrNothing(value))[1]);
}
