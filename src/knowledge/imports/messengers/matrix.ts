import { asObject, type ImportFields } from '../../importing/import-values.ts';

/** Matches the text that is quoted above a reply, for programs that do not show the relation. */
const QUOTED = /^> (?:\* )?<@[^\n]{1,9999}\n(?:>[^\n]{0,9999}\n){0,999}\n?/;

/** Returns the events of a room of Matrix with their last texts, and the messages of other programs as they are. */
export function readMatrixEvents(events: readonly ImportFields[]): readonly ImportFields[] {
  const ids = new Set<unknown>(events.flatMap(({ event_id: id }) => id ?? []));
  const relationOf = ({ content }: ImportFields) => asObject(asObject(content)['m.relates_to']);
  const isEdit = (event: ImportFields) => relationOf(event).rel_type === 'm.replace';
  const edits = events.filter(isEdit).map((event) => [event.origin_server_ts, event] as const);
  edits.sort(([one], [other]) => Number(one) - Number(other));
  const texts = new Map(edits.map(([, edit]) => [relationOf(edit).event_id, newContentOf(edit)]));
  return events.flatMap((event) => {
    const { event_id: target, 'm.in_reply_to': reply } = relationOf(event);
    if (isEdit(event)) return ids.has(target) ? [] : [{ ...event, content: newContentOf(event) }];
    const content = asObject(texts.get(event.event_id) ?? event.content);
    if (ids.has(asObject(reply).event_id))
      return [{ ...event, content: { ...content, body: String(content.body ?? '').replace(QUOTED, '') } }];
    return [texts.has(event.event_id) ? { ...event, content } : event];
  });
}

const newContentOf = ({ content }: ImportFields): unknown => asObject(content)['m.new_content'] ?? content;
