import type { AgentMatch } from '../rules.ts';

const ENDLESS =
  /^([ \t]{0,200})(?:while\s{1,3}(?:True|1)\s{0,3}:|while\s{1,3}(?:true|:|\[\s?1\s?\])\s{0,3}(?:;\s{0,3}do\s{0,3})?$|while\s{0,3}\((?:true|1|!0)\)\s{0,3}\{?\s{0,3}$|for\s{0,3}\(\s{0,3};\s{0,3};\s{0,3}\)\s{0,3}\{?\s{0,3}$)/;
const ENDS =
  /\b(?:break|return|raise|throw|yield|await|exit|sleep|wait|input|recv|accept|read\w{0,20}|get|poll|select|next|run\w{0,20}|serve\w{0,20}|step|_exit|tail|inotifywait|Start-Sleep)\b/;
const MAX_BODY_LINES = 200;

export function endlessLoopMatches(code: string): AgentMatch[] {
  const lines = code.split('\n');
  const found: AgentMatch[] = [];
  for (const [at, line] of lines.entries()) {
    const indent = ENDLESS.exec(line)?.[1]?.length;
    // A loop directly after `try:` is probably ended by an exception.
    if (indent === undefined || lines[at - 1]?.trim() === 'try:') continue;
    const from = lines[at + 1]?.trim() === 'do' ? at + 2 : at + 1;
    const body = lines.slice(from, from + MAX_BODY_LINES);
    const end = body.findIndex((one) => one.trim() !== '' && one.length - one.trimStart().length <= indent);
    const own = end < 0 ? body : body.slice(0, end);
    if (!own.some((one) => ENDS.test(one.slice(0, 500))))
      found.push({ rule: 'exhausted-machine', line: at + 1, what: line.trim() });
  }
  return found.slice(0, 5);
}
