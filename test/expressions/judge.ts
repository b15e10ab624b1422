import { writeFileSync } from 'node:fs';
import { readLiterals } from '../helpers/syntax.ts';
import { collectExpressions, hashOf, isBounded, judge, readProven } from './collect.ts';

/** Writes linear.json; run it after many expressions have changed (`--all`: judges all of them again, some minutes). */
const proven = process.argv.includes('--all') ? new Set<string>() : readProven();
const linear: string[] = [];
const { expressions } = await collectExpressions(readLiterals());
for (const one of expressions.filter(({ source }) => !isBounded(source))) {
  const verdict = proven.has(hashOf(one)) ? 'linear' : await judge(one);
  if (verdict === 'linear') linear.push(hashOf(one));
  else process.stdout.write(`${one.places.join(' ')} ${verdict}: /${one.source}/${one.flags}\n`);
}
writeFileSync(new URL('linear.json', import.meta.url), `${JSON.stringify(linear.sort(), null, 2)}\n`);
process.exit(0);
