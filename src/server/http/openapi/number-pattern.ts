const MAX_DIGITS = 15;

/** Returns a regular expression for whole numbers: OpenAPI describes numbers in a query as strings here. */
export function wholeNumberPattern(min = 0, max: number = Number.MAX_SAFE_INTEGER): string {
  if (max >= 10 ** MAX_DIGITS) return min <= 0 ? `^0*[0-9]{1,${MAX_DIGITS}}$` : `^0*(${atLeast(min)})$`;
  const parts: string[] = [];
  for (let from = min; from <= max; ) {
    const to = endOfBlock(from, max);
    parts.push(block(from, to));
    from = to + 1;
  }
  return `^0*(${parts.join('|')})$`;
}

/** Returns the end of the longest range that one pattern can cover. For 130, it is 199: `1[3-9][0-9]`. */
function endOfBlock(from: number, max: number): number {
  let end = from;
  for (let width = 10; ; width *= 10) {
    const start = from - (from % width);
    const digit = Math.floor((from % width) / (width / 10));
    for (let last = 9; last >= digit; last--) {
      const to = start + (last + 1) * (width / 10) - 1;
      if (to <= max) {
        end = Math.max(end, to);
        break;
      }
    }
    if (from % width !== 0 || from === 0 || start + width - 1 > max) return end;
  }
}

/** For 130 to 199, returns `1[3-9][0-9]`. */
function block(from: number, to: number): string {
  const [low, high] = [String(from), String(to)];
  let same = 0;
  while (same < low.length && low[same] === high[same]) same += 1;
  if (same === low.length) return low;
  const free = low.length - same - 1;
  const digit = low[same] === high[same] ? low[same] : `[${low[same]}-${high[same]}]`;
  return `${low.slice(0, same)}${digit}${'[0-9]'.repeat(free)}`;
}

function atLeast(min: number): string {
  const top = 10 ** String(min).length - 1;
  const inner = wholeNumberPattern(min, top).slice('^0*('.length, -')$'.length);
  return `${inner}|[1-9][0-9]{${String(top).length},${MAX_DIGITS - 1}}`;
}
