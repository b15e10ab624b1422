/** Removes what a reader of the page would not see, so that it cannot instruct the assistant that reads it. */

const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0*(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)|(?:width|height|max-width|max-height)\s*:\s*0(?:px|em|rem|%)?\s*(?:;|!|$)|(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)|transform\s*:\s*scale\(\s*0\s*\))/i;

const ALWAYS = 'template, script, style, dialog:not([open]), [hidden], input[type="hidden"]';

/** Zero-width and direction-changing characters, and the tag characters that spell text nobody sees. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function dropHidden(document: Document): void {
  for (const element of document.querySelectorAll(ALWAYS)) element.remove();
  for (const element of document.querySelectorAll('[style]')) {
    if (HIDING.test(element.getAttribute('style') ?? '')) element.remove();
  }
  for (const element of document.querySelectorAll('[aria-hidden="true"]')) {
    // Formulas and icons are hidden from screen readers and stand beside their text; longer text is a trick.
    element.remove();
  }
  const walker = document.createTreeWalker(document.documentElement, 0x80 | 0x4);
  const comments: Node[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === 8) comments.push(node);
    else if (node.nodeValue) {
      const visible = withoutInvisible(node.nodeValue);
      if (visible !== node.nodeValue) node.nodeValue = visible;
    }
  }
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
