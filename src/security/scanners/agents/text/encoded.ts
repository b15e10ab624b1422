import { createLineIndex } from '../../../trees/lines.ts';
import { findHarmfulBehaviour } from '../code/behaviours.ts';
import type { AgentMatch } from '../rules.ts';
import { findHarmfulProse } from './prose.ts';

const ENCODED =
  /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,4000}={0,2}|(?:\\x[0-9A-Fa-f]{2}){12,1000}|(?:%[0-9A-Fa-f]{2}){12,1000}|(?:\\u00[0-9A-Fa-f]{2}){12,1000}|(?:&#(?:x[0-9A-Fa-f]{2}|\d{2,3});){12,1000}/g;
const ORDINARY =
  /(?:data:[\w/+.-]{1,60}(?:;[\w=-]{1,40})?;base64,|sha(?:1|256|384|512)[-:]|base64:|ssh-(?:rsa|ed25519) |-----)$/;
/** Matches the header of a JSON Web Token. URLs in the token are usually harmless, such as the issuer. */
const TOKEN_HEAD = /(?<![\w-])eyJ[\w-]{10,90}\.$/;
const COMMAND =
  /\b(?:curl|wget|bash|sh|powershell|python3?|node|nc|exec|eval|import os|subprocess|rm|chmod|socket|require|os\.system|child_process)\b[ (.;'"|-]/;
const ADDRESS = /\bhttps?:\/\/(?!(?:www\.)?(?:w3\.org|example\.com|schema\.org|localhost))[\w.-]{4,100}/;
const MAX_DECODED = 300;
const MAX_DEPTH = 2;

export function encodedMatches(text: string): AgentMatch[] {
  const lines = createLineIndex(text);
  const found: AgentMatch[] = [];
  let left = MAX_DECODED;
  for (const match of text.matchAll(ENCODED)) {
    if (left-- <= 0) break;
    const before = text.slice(Math.max(0, match.index - 100), match.index);
    if (ORDINARY.test(before)) continue;
    const meaning = meaningOf(match[0], 0);
    if (meaning?.severity === 'medium' && TOKEN_HEAD.test(before)) continue;
    if (meaning) found.push({ rule: 'encoded-payload', line: lines.lineAt(match.index), ...meaning });
  }
  return found;
}

function meaningOf(encoded: string, depth: number): Pick<AgentMatch, 'what' | 'severity'> | undefined {
  const decoded = decode(encoded);
  if (decoded === undefined) return undefined;
  const what = `decoded: ${decoded.replace(/\s+/g, ' ').slice(0, 80)}`;
  if (COMMAND.test(decoded) || findHarmfulBehaviour(decoded, 'command').length > 0) return { what };
  if (findHarmfulProse(decoded, 'hidden').length > 0) return { what };
  if (ADDRESS.test(decoded)) return { what, severity: 'medium' };
  const inner = depth < MAX_DEPTH ? [...decoded.matchAll(ENCODED)].slice(0, 5) : [];
  for (const [one] of inner) {
    const meaning = meaningOf(one, depth + 1);
    if (meaning) return meaning;
  }
  return undefined;
}

function decode(encoded: string): string | undefined {
  const bytes = (/^(?:\\x|\\u00|%|&#)/.test(encoded) ? escapes(encoded) : undefined) ?? plain(encoded);
  const text = new TextDecoder('utf-8').decode(
    bytes.length > 40 && bytes.indexOf(0) === 1 ? bytes.filter((one) => one !== 0) : bytes,
  );
  const printable = text.replace(/[^\x20-\x7E\n\r\t]/g, '').length;
  return text.length >= 8 && printable >= text.length * 0.9 ? text : undefined;
}

function escapes(encoded: string): Uint8Array {
  return Uint8Array.from(
    [...encoded.matchAll(/[0-9A-Fa-f]{2,4}/g)].map(([digits]) =>
      encoded.startsWith('&#') && !encoded.startsWith('&#x')
        ? Number(digits)
        : Number.parseInt(digits.slice(-2), 16),
    ),
  );
}

const plain = (encoded: string): Uint8Array =>
  encoded.length % 2 === 0 && /^[0-9A-Fa-f]{1,4000}$/.test(encoded)
    ? Buffer.from(encoded, 'hex')
    : Buffer.from(encoded, 'base64');
