const MAX_CHARS = 1_000;
const CODE_SHARE = 0.3;
const CODE_LINE =
  /[{};]$|^[})\]]|^[^-*|].{0,200}\w\([^()]{0,200}\)(?: ->.{0,80}:|:)?$|^[\w.[\]"'$, ]{1,80} (?:[-+*|:]?=|<-) \S|^(?:return|import|raise|yield|else:|try:|if|for|while|with|elif|except)\b.{0,200}[:)\w\]]$/;
const DEFINITION =
  /^(?:(?:export|async|public|private|protected|static|pub) ){0,4}(?:def|class|function|func|fn|interface|struct|void)\s.{0,200}[({:,]$/;
/** Signs that prose, recipes, formulas and citations lack. */
const CODE_SIGN = /[{};]$|\w\(\)|\w\([^()\n]{0,80}[,"'=][^()\n]{0,80}\)|==|:=|=>|->/m;
const PROSE_END = /[.!?,]$/;
const LIST_ITEM = /^(?:[-*•|>]|\d{1,3}[.)]) /;

/** Returns true if the text is mostly program code. Judges by the shape of its lines, in any language. */
export function isCodePassage(text: string): boolean {
  const lines = text.slice(0, MAX_CHARS).split('\n');
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  const code = written.filter(
    (line) => CODE_LINE.test(line) && !PROSE_END.test(line) && !LIST_ITEM.test(line),
  ).length;
  if (code < 2) return false;
  if (written.some((line) => DEFINITION.test(line))) return true;
  return code >= written.length * CODE_SHARE && CODE_SIGN.test(lines.join('\n'));
}
