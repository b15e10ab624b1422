/**
 * Prints as JSON every expression that these modules of ours construct when they are loaded, and those that the source
 * scanner makes of its rules. A program of its own: it replaces RegExp.
 */
const made: { readonly at: string; readonly source: string; readonly flags: string }[] = [];

/** `file:line:column` of the code of ours that is running. */
function place(): string | undefined {
  const line = new Error('place').stack
    ?.split('\n')
    .find((one) => /\/(?:src|tools|prompts)\//.test(one) && !one.includes('node_modules'));
  return /\/((?:src|tools|prompts)\/[^/:][^:]*:\d+:\d+)/.exec(line ?? '')?.[1];
}

Error.stackTraceLimit = 30;
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args, newTarget) {
    const one = Reflect.construct(target, args, newTarget) as RegExp;
    const at = place();
    if (at !== undefined) made.push({ at, source: one.source, flags: one.flags });
    return one;
  },
});

for (const path of process.argv.slice(2)) await import(path);
const { languages } = await import('../../src/security/scanners/source/languages.ts');
const { suspectsIn } = await import('../../src/security/scanners/source/prefilter.ts');
for (const { rules } of languages) suspectsIn(rules, 'x');
process.stdout.write(JSON.stringify(made), () => process.exit(0));
