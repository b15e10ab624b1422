const BOXES = /<(\/?)(mc:AlternateContent|mc:Fallback|w:drawing|w:txbxContent)(?: [^<>]*)?>/g;

export function moveOutTextBoxes(xml: string): string {
  const finder = new TextBoxFinder(xml);
  for (const { 0: tag, 1: close, 2: name = '', index } of xml.matchAll(BOXES)) {
    finder.readTag(name, close !== '', index, index + tag.length);
  }
  let [out, kept] = ['', 0];
  for (const { start, end, texts } of finder.found) {
    out += `${xml.slice(kept, start)}<w:pict>${texts.join('')}</w:pict>`;
    kept = end;
  }
  return out + xml.slice(kept);
}

class TextBoxFinder {
  readonly found: { readonly start: number; readonly end: number; readonly texts: readonly string[] }[] = [];
  readonly #xml: string;
  #fallbacks = 0;
  #boxes = 0;
  #drawings = 0;
  #start = 0;
  #boxStart = 0;
  #texts: string[] = [];

  constructor(xml: string) {
    this.#xml = xml;
  }

  readTag(name: string, isEnd: boolean, start: number, end: number): void {
    const step = isEnd ? -1 : 1;
    if (name === 'mc:Fallback') this.#fallbacks += step;
    else if (this.#fallbacks > 0) return;
    else if (name === 'w:txbxContent') this.#readBox(step, start, end);
    else if (this.#boxes === 0) this.#readDrawing(step, start, end);
  }

  #readBox(step: 1 | -1, start: number, end: number): void {
    if (this.#drawings === 0) return;
    if (this.#boxes === 0) this.#boxStart = start;
    this.#boxes += step;
    if (this.#boxes === 0) this.#texts.push(this.#xml.slice(this.#boxStart, end));
  }

  #readDrawing(step: 1 | -1, start: number, end: number): void {
    if (this.#drawings === 0) this.#start = start;
    this.#drawings += step;
    if (this.#drawings > 0) return;
    if (this.#texts.length > 0) this.found.push({ start: this.#start, end, texts: this.#texts });
    this.#texts = [];
  }
}
