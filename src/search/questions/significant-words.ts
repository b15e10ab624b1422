const EMPTY = new Set(
  'a about am an and are as at be been by can could did do does for from had has have how i in into is it its me my of on or our should so some than that the their them there these this those to us use using via vs was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);

export function keepSignificantWords(
  words: readonly string[],
  extraEmptyWords: ReadonlySet<string> = new Set(),
): readonly string[] {
  const telling = words.filter((word) => {
    const bare = word.toLowerCase().replace(/[?!.,;:]{1,3}$/, '');
    return !EMPTY.has(bare) && !extraEmptyWords.has(bare);
  });
  return telling.length > 0 ? telling : words;
}
