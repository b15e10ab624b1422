import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMAND, type Language, linesFound, RUNS } from './handlers.ts';

/** Values that statements change one after another: lists, maps, text builders, counters and fields. */

const JAVA = 'Runtime.getRuntime().exec(bar);';

/** A name, statements that leave the request's text in `bar`, and statements that leave a constant there. */
const PAIRS: readonly (readonly [string, string, string])[] = [
  [
    'a list from which an element is removed',
    'List<String> l = new ArrayList<>(); l.add("a"); l.add(p); l.add("b"); l.remove(0); String bar = l.get(0);',
    'List<String> l = new ArrayList<>(); l.add("a"); l.add(p); l.add("b"); l.remove(0); String bar = l.get(1);',
  ],
  [
    'an element put at a place',
    'List<String> l = new ArrayList<>(); l.add("a"); l.add(0, p); String bar = l.get(0);',
    'List<String> l = new ArrayList<>(); l.add(p); l.add(0, "a"); String bar = l.get(0);',
  ],
  [
    'the ends of a list',
    'LinkedList<String> l = new LinkedList<>(); l.addFirst("a"); l.addFirst(p); String bar = l.getFirst();',
    'LinkedList<String> l = new LinkedList<>(); l.addFirst("a"); l.addFirst(p); String bar = l.getLast();',
  ],
  [
    'the top of a stack',
    'Stack<String> s = new Stack<>(); s.push("a"); s.push(p); String bar = s.peek();',
    'Stack<String> s = new Stack<>(); s.push(p); s.push("a"); String bar = s.peek();',
  ],
  [
    'a list that is emptied',
    'List<String> l = new ArrayList<>(); l.add("a"); l.clear(); l.add(p); String bar = l.get(0);',
    'List<String> l = new ArrayList<>(); l.add(p); l.clear(); l.add("a"); String bar = l.get(0);',
  ],
  [
    'a map from which a key is removed',
    'Map<String, String> m = new HashMap<>(); m.put("a", p); m.remove("b"); String bar = m.getOrDefault("a", "b");',
    'Map<String, String> m = new HashMap<>(); m.put("a", p); m.remove("a"); String bar = m.getOrDefault("a", "b");',
  ],
  [
    'a text builder that is emptied',
    'StringBuilder s = new StringBuilder(); s.setLength(0); s.append(p); String bar = s.toString();',
    'StringBuilder s = new StringBuilder(); s.append(p); s.setLength(0); s.append("a"); String bar = s.toString();',
  ],
  [
    'a loop whose body runs before its condition',
    'String bar = "a"; do { bar = p; } while (false);',
    'String bar = p; do { bar = "a"; } while (false);',
  ],
  [
    'a counter',
    'int n = 4; n++; String bar = n > 4 ? p : "a";',
    'int n = 4; n--; String bar = n > 4 ? p : "a";',
  ],
  [
    'an operator that assigns',
    'int n = 9; n -= 4; String bar = n == 5 ? p : "a";',
    'int n = 9; n -= 4; String bar = n == 4 ? p : "a";',
  ],
  [
    'a round of a loop that is not the first',
    'String bar = "a"; for (int i = 0; i < 3; i++) { if (i == 1) bar = p; }',
    'String bar = "a"; for (int i = 0; i < 0; i++) { if (i == 1) bar = p; }',
  ],
  [
    'a round of the third of three loops',
    'String bar = "a"; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) { if (k == 1) bar = p; }',
    'String bar = "a"; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 0; k++) { if (k == 1) bar = p; }',
  ],
  [
    'a condition of which either side suffices',
    'String bar = p; if (bar.equals("a") || other) { } else { bar = "c"; }',
    'String bar = "c"; if (p.equals("a") || p.equals("b")) { bar = p; }',
  ],
];

test.each(PAIRS)('in Java: %s', async (_, harmful, harmless) => {
  expect(await linesFound(COMMAND, 'java', [harmful, JAVA])).toEqual([2]);
  expect(await linesFound(COMMAND, 'java', [harmless, JAVA])).toEqual([]);
});

const COUNTED: readonly (readonly [Language, string, string])[] = [
  ['javascript', 'let n = 4; n++;', 'if (n === 5)'],
  ['java', 'int n = 4; ++n;', 'if (n == 5)'],
  ['csharp', 'int n = 4; n++;', 'if (n == 5)'],
  ['csharp', 'int n = 6; --n;', 'if (n == 5)'],
  ['php', '$n = 4; $n++;', 'if ($n == 5)'],
  ['go', 'n := 4; n++', 'if n == 5'],
];
test.each(COUNTED)('in %s `%s` changes the number', async (language, before, condition) => {
  const end = language === 'go' ? '}' : ' }';
  expect(await linesFound(COMMAND, language, [before, `${condition} {`, RUNS[language], end])).toEqual([3]);
  const wrong = condition.replace('5', '4');
  expect(await linesFound(COMMAND, language, [before, `${wrong} {`, RUNS[language], end])).toEqual([]);
});

/** A statement on a list, and what it does to one of ours. */
const STATEMENTS: readonly (readonly [string, (list: string[]) => unknown])[] = [
  ['l.add("a");', (list) => list.push('a')],
  ['l.add(p);', (list) => list.push('p')],
  ['l.add(0, p);', (list) => list.unshift('p')],
  ['l.addFirst("a");', (list) => list.unshift('a')],
  ['l.remove(0);', (list) => list.shift()],
  ['l.removeFirst();', (list) => list.shift()],
  ['l.set(0, "a");', (list) => list.splice(0, 1, 'a')],
  ['l.clear();', (list) => list.splice(0)],
];

test('any statements on a list leave the text of the request where they put it', async () => {
  const program = fc.array(fc.integer({ min: 0, max: STATEMENTS.length - 1 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(program, fc.nat(3), async (chosen, at) => {
      const list: string[] = [];
      const lines = ['LinkedList<String> l = new LinkedList<>();'];
      for (const one of chosen) {
        const [text, act] = STATEMENTS[one] ?? ['', () => undefined];
        if (list.length === 0 && /remove|set/.test(text)) continue;
        lines.push(text);
        act(list);
      }
      const found = await linesFound(COMMAND, 'java', [...lines, `Runtime.getRuntime().exec(l.get(${at}));`]);
      expect(found).toEqual(list[at] === 'p' ? [lines.length + 1] : []);
    }),
    { numRuns: 60 },
  );
});

test('a field that another method assigns is not the constant of its declaration', async () => {
  const found = async (beside: string) => {
    const text = `import javax.servlet.http.*;
public class A extends HttpServlet {
  private String mode = "a";
  ${beside}
  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {
    String p = req.getParameter("p");
    if (mode.equals("b")) Runtime.getRuntime().exec(p);
  }
}
`;
    const { createSourceScanner } = await import('../../../src/security/scanners/source.ts');
    const all = await createSourceScanner().scan({ path: 'A.java', text }, { deep: true });
    return all.filter(({ id }) => id === COMMAND).length;
  };
  expect(await found('')).toBe(0);
  expect(await found('public void setMode(String m) { this.mode = m; }')).toBe(1);
});
