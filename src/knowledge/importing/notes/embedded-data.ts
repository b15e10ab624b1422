const DATA = /(data:[\w.+-]{1,60}\/[\w.+-]{1,80}(?:;[\w=."-]{1,80}){0,3};base64,)[\w+/=%-]+/gi;
/** Matches a definition of a link in Markdown to data whose bytes were replaced by a zero character. */
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]{0,9}<?[^\s<>\0]{1,400}\0[^\n]{0,500}\n?/gm;
const PICTURE =
  /!\[([^[\]\n]{0,2000})\](?:\(\s{0,9}<?[^\s<>\0]{1,400}\0>?(?:\s{1,9}"([^"\n]{0,1000})")?\s{0,9}\)|\[([^[\]\n]{0,200})\])/g;
const PICTURE_TAG = /<img\b[^<>\0]{0,2000}\0[^<>]{0,2000}>/gi;
const DRAWING = /^(#{1,6} Drawing[ \t]{0,9}\r?\n)```(?:compressed-)?json\r?\n(?:[^`]|`(?!``))*```/gm;

const DRAWN = 'the data of a drawing';
const BYTES = 'the bytes of a picture or another file in a text';

/** Counts the pictures whose bytes are in a page. Readers of HTML keep only their words. */
export function countPictures(html: string): Readonly<Record<string, number>> {
  const count = html.match(/\bsrc=["']?data:[a-z]{1,20}\//gi)?.length ?? 0;
  return count === 0 ? {} : { [BYTES]: count };
}

/** Leaves the bytes of pictures and the data of drawings out of a text, and counts them in `leftOut`. */
export function withoutEmbeddedData(text: string): {
  readonly text: string;
  readonly leftOut: Readonly<Record<string, number>>;
} {
  let [files, drawings] = [0, 0];
  const isDrawing = /^excalidraw-plugin:/m.test(text.slice(0, 5000));
  const named = new Set<string>();
  const bare = text
    .replace(DATA, (_all, mark: string) => {
      files++;
      return `${mark}\0`;
    })
    .replace(isDrawing ? DRAWING : /(?!)/, (_all, heading: string) => {
      drawings++;
      return heading;
    });
  if (files + drawings === 0) return { text, leftOut: {} };
  const words = bare
    .replace(DEFINITION, (_all, name: string) => {
      named.add(name.toLowerCase());
      return '';
    })
    .replace(PICTURE, (all, alt: string, title = '', name?: string) => {
      const isHere = name === undefined || named.has((name || alt).toLowerCase());
      return isHere ? [alt, title].filter(Boolean).join(' ') : all;
    })
    .replace(PICTURE_TAG, (tag) =>
      [...tag.matchAll(/\s(?:alt|title)=(?:"([^"]*)"|'([^']*)')/gi)].map(([, a, b]) => a ?? b).join(' '),
    )
    .replaceAll('\0', '')
    .trim();
  const leftOut = { ...(files > 0 && { [BYTES]: files }), ...(drawings > 0 && { [DRAWN]: drawings }) };
  return { text: words, leftOut };
}
