const FENCE = /^[ \t]{0,12}(`{3,10}|~{3,10})[ \t]{0,9}(?:\{?\.)?([\w+#-]{0,30})/gm;
const CODE =
  /^(?:[cm]?[jt]sx?|javascript|typescript|node|python\d?|py\d?|pycon|ipython|java|kotlin|kt|scala|groovy|go|golang|rust|rs|ruby|rb|php|c#|cs|csharp|c|c\+\+|cpp|swift|dart|elixir|ex|erlang|clojure|haskell|hs|lua|perl|r|julia|objective-c|objc|vue|svelte|fsharp|zig|nim|solidity)$/i;

export function createCodeBlockTest(text: string): (at: number) => boolean {
  const blocks: [start: number, end: number][] = [];
  let open: { readonly fence: string; readonly start: number; readonly isCode: boolean } | undefined;
  for (const { 0: whole, 1: fence = '', 2: language = '', index } of text.matchAll(FENCE)) {
    if (!open) open = { fence, start: index + whole.length, isCode: CODE.test(language) };
    else if (language === '' && fence.startsWith(open.fence)) {
      if (open.isCode) blocks.push([open.start, index]);
      open = undefined;
    }
  }
  if (open?.isCode) blocks.push([open.start, text.length]);
  return (at) => blocks.some(([start, end]) => start <= at && at < end);
}
