/** The record without its undefined values, for headers, search parameters and JSON, where a key alone says something. */
export function defined<Value>(record: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record<
    string,
    Value
  >;
}
