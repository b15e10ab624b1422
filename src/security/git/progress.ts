const PHASES: Readonly<Record<string, string>> = {
  'remote: Counting objects': 'the other side counts objects',
  'remote: Compressing objects': 'the other side packs objects',
  'Receiving objects': 'receiving objects',
  'Resolving deltas': 'unpacking objects',
};
const LINE =
  /(remote: Counting objects|remote: Compressing objects|Receiving objects|Resolving deltas): +(\d{1,3})%/g;

/** Parses git's progress messages. Reports every tenth of each phase, such as "receiving objects". */
export function createGitProgressParser(report: (message: string) => void): (piece: string) => void {
  let last = '';
  let rest = '';
  return (piece) => {
    const text = rest + piece;
    rest = text.slice(-80);
    for (const [, phase = '', percent = '0'] of text.matchAll(LINE)) {
      const message = `${PHASES[phase]}: ${Math.floor(Number(percent) / 10) * 10} %`;
      if (message === last) continue;
      last = message;
      report(message);
    }
  };
}
