/** A piece of text that people read, and the line on which it begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

/** What may stand before a regular expression; after anything else a slash divides. */
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[\]<>+\-*%~^]|\b(?:return|case|typeof|in|of|yield|await))\s*$/;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const QUOTED = /(['"])((?:\\.|(?!\1)[^\\\n])*)\1/y;
const COMMENT = /\/\/(.*)|\/\*([\s\S]*?)\*\//y;

/** Comments and texts of TypeScript, without code: neither identifiers nor paths of imports nor regular expressions. */
export function proseOfSource(source: string): Prose[] {
  return new SourceReader(source).read();
}

class SourceReader {
  readonly #source: string;
  readonly #found: Prose[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Prose[] {
    this.#code('');
    return this.#found;
  }

  /** Reads code up to the bracket that ends it, or to the end of the source. */
  #code(end: string): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      if (character === end && depth === 0) return;
      if (character === '{') depth++;
      else if (character === '}') depth--;
      if (!this.#token(character)) this.#at++;
    }
  }

  /** Reads a comment, a text or a regular expression that begins here. */
  #token(character: string): boolean {
    if (character === '/') {
      const comment = this.#match(COMMENT);
      if (comment) return this.#keep(comment, comment[1] ?? comment[2] ?? '');
      const before = this.#source.slice(Math.max(0, this.#at - 40), this.#at);
      return BEFORE_REGEX.test(before) && this.#match(REGEX) !== undefined;
    }
    if (character === '`') return this.#template();
    const quoted = character === "'" || character === '"' ? this.#match(QUOTED) : undefined;
    return quoted !== undefined && this.#keep(quoted, isPath(quoted[2] ?? '') ? '' : (quoted[2] ?? ''));
  }

  #template(): boolean {
    const start = this.#at++;
    let text = '';
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== '`') {
      if (this.#source.startsWith('${', this.#at)) {
        this.#at += 2;
        this.#code('}');
        text += ' … ';
      } else {
        if (this.#source.charAt(this.#at) === '\\') text += this.#source.charAt(this.#at++);
        text += this.#source.charAt(this.#at);
      }
      this.#at++;
    }
    this.#at++;
    this.#found.push({ line: this.#lineOf(start), text });
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source) ?? undefined;
    if (match) this.#at += match[0].length;
    return match;
  }

  #keep(match: RegExpExecArray, text: string): true {
    this.#found.push({ line: this.#lineOf(match.index), text });
    return true;
  }

  #lineOf(at: number): number {
    return this.#source.slice(0, at).split('\n').length;
  }
}

function isPath(text: string): boolean {
  return /^\.{0,2}\//.test(text);
}

/** The paragraphs of a Markdown file, without code. */
export function proseOfMarkdown(markdown: string): Prose[] {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ''));
  return withoutCode.split('\n').map((text, at) => ({ line: at + 1, text }));
}
