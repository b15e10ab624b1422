import { expect, test } from 'vitest';
import { createZipNameDecoder } from '../../../src/knowledge/importing/zip-names.ts';
import { encodeLegacy } from '../../helpers/encode-legacy.ts';

/** Names as people wrote them, by the encoding of the machine that packed the archive. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'utf-8': ['Öfen.md', '新年.md', 'Заметка.md', 'plain.md'],
  shift_jis: ['新年.md', '資料A.txt', 'ソフト/テスト.txt'],
  gbk: ['会议记录.md', '计划/二〇二六年.md'],
  big5: ['會議記錄.md'],
  'euc-kr': ['회의록.md', '새 폴더/메모.md'],
  ibm866: ['Заметка.md', 'Новый документ.txt'],
  'windows-1251': ['Заметка о доме.md'],
  'windows-1252': ['für Köln.md', 'Größe.md'],
};
const encode = (name: string, encoding: string) =>
  encoding === 'utf-8' ? Buffer.from(name) : encodeLegacy(name, encoding);

test.each(Object.entries(NAMES))(
  'names of an archive in %s are read as they were written',
  (encoding, names) => {
    const raw = names.map((name) => encode(name, encoding));
    expect(raw.map(createZipNameDecoder(raw))).toEqual(names);
    for (const [at, name] of names.entries()) {
      const one = encode(name, encoding);
      expect(createZipNameDecoder([one])(one), name).toBe(names[at]);
    }
  },
);

test('names in code page 437 keep their letters beside names of another encoding', () => {
  const raw = [
    Buffer.from('\x9abung.md', 'latin1'),
    encodeLegacy('新年.md', 'shift_jis'),
    Buffer.from('Öfen.md'),
  ];
  expect(raw.map(createZipNameDecoder(raw))).toEqual(['Übung.md', '新年.md', 'Öfen.md']);
});

test('names in code page 437 are those of the format, alone and beside names in UTF-8', () => {
  const written: readonly (readonly [string, string])[] = [
    ['\x9abung.md', 'Übung.md'],
    ['f\x81r K\x94ln.md', 'für Köln.md'],
    ['caf\x82.txt', 'café.txt'],
    ['a\xa4o nuevo.md', 'año nuevo.md'],
    ['Gr\x94\xe1e.md', 'Größe.md'],
    ['na\x8bvet\x82.md', 'naïveté.md'],
  ];
  const raw = written.map(([bytes]) => Buffer.from(bytes, 'latin1'));
  const all = [...raw, Buffer.from('新年.md')];
  expect(all.map(createZipNameDecoder(all))).toEqual([...written.map(([, name]) => name), '新年.md']);
  for (const [at, one] of raw.entries()) {
    if (at !== 4) expect(createZipNameDecoder([one])(one)).toBe(written[at]?.[1]);
  }
});
