/** A question with such a verb and a time asks for stored texts: `what did I note last week?` */
export const STORING_VERBS: ReadonlySet<string> = new Set(
  'note noted notes save saved keep kept store stored write wrote written tell told say said add added notiert gespeichert gesagt geschrieben'.split(
    ' ',
  ),
);
