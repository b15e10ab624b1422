import type { CommandContext } from '../../command.ts';
import { escapeInvisible } from '../../lib/text/escape-invisible.ts';
import type { Finding } from '../../security/types.ts';

/**
 * Prints fixes as a unified diff without context lines, for `git apply --unidiff-zero` and `patch -p1`. Leaves out fixes with
 * Windows line ends, or with characters that a terminal would change. JSON and SARIF contain these fixes too.
 */
export async function printFixPatch(findings: readonly Finding[], print: CommandContext['print']) {
  const shown = findings.filter(
    ({ path, patch }) => patch && isPlain(`${path}${patch.before}${patch.after}`),
  );
  const byPath = [...Map.groupBy(shown, ({ path }) => path)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, own] of byPath) {
    await print(`--- a/${path}\n+++ b/${path}`);
    for (const { line = 1, patch } of own.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))) {
      if (patch) await print(`@@ -${line} +${line} @@\n-${patch.before}\n+${patch.after}`);
    }
  }
}

function isPlain(text: string): boolean {
  const plain = text.replaceAll('\t', '');
  return escapeInvisible(plain) === plain;
}
