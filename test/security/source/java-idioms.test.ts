import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Data from a request in servlets, by the ways in which it is taken, carried and given back in usual Java. */

const scanner = createSourceScanner();

/** `bar` of a handler in a query: the severities of what is found. */
async function found(body: string, beside = ''): Promise<string[]> {
  const text = `package app;
import javax.servlet.http.*;
import java.util.*;
public class Handler extends HttpServlet {
  private java.sql.Connection db;
  @Override
  public void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
${body}
    java.sql.Statement st = db.createStatement();
    st.executeQuery("select id from goods where name = '" + bar + "'");
  }
${beside}
}
`;
  const all = await scanner.scan({ path: 'src/app/Handler.java', text }, { deep: true });
  return all.filter((one) => one.id === 'source/sql-injection').map(({ severity }) => severity);
}

const PARAM = 'String param = request.getParameter("p");';

const TAKEN: readonly (readonly [string, string])[] = [
  ['a parameter', 'String bar = request.getParameter("p");'],
  [
    'one of several values',
    'String[] all = request.getParameterValues("p"); String bar = all != null && all.length > 0 ? all[0] : "";',
  ],
  [
    'the map of parameters',
    'Map<String, String[]> map = request.getParameterMap(); String bar = ""; if (!map.isEmpty()) { String[] of = map.get("p"); if (of != null) bar = of[0]; }',
  ],
  [
    'a name of a parameter',
    `String bar = "";
    boolean search = true;
    Enumeration<String> names = request.getParameterNames();
    while (names.hasMoreElements() && search) {
      String name = (String) names.nextElement();
      String[] values = request.getParameterValues(name);
      if (values != null) {
        for (int i = 0; i < values.length && search; i++) {
          String value = values[i];
          if (value.equals("wanted")) { bar = name; search = false; }
        }
      }
    }`,
  ],
  [
    'a header',
    'String bar = ""; if (request.getHeader("Referer") != null) bar = request.getHeader("Referer"); bar = java.net.URLDecoder.decode(bar, "UTF-8");',
  ],
  [
    'one of a header’s values',
    'String bar = ""; Enumeration<String> of = request.getHeaders("X-Name"); if (of != null && of.hasMoreElements()) { bar = of.nextElement(); } bar = java.net.URLDecoder.decode(bar, "UTF-8");',
  ],
  [
    'a header’s name',
    `String bar = "";
    Enumeration<String> names = request.getHeaderNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement();
      if (KNOWN.contains(name)) continue;
      Enumeration<String> of = request.getHeaders(name);
      if (of != null && of.hasMoreElements()) { bar = name; break; }
    }`,
  ],
  [
    'a cookie of a name',
    `Cookie[] all = request.getCookies();
    String bar = "none";
    if (all != null) {
      for (Cookie one : all) {
        if (one.getName().equals("choice")) { bar = java.net.URLDecoder.decode(one.getValue(), "UTF-8"); break; }
      }
    }`,
  ],
  [
    'a part of the query',
    `String query = request.getQueryString();
    String key = "p=";
    int at = -1;
    if (query != null) at = query.indexOf(key);
    if (at == -1) { response.getWriter().println("missing"); return; }
    String bar = query.substring(at + key.length());
    int end = query.indexOf("&", at);
    if (end != -1) bar = query.substring(at + key.length(), end);
    bar = java.net.URLDecoder.decode(bar, "UTF-8");`,
  ],
  ['the body', 'String bar = request.getReader().readLine();'],
  [
    'lines of the body',
    'String bar = request.getReader().lines().collect(java.util.stream.Collectors.joining());',
  ],
  ['a path', 'String bar = request.getPathInfo().substring(1);'],
];
test.each(TAKEN)('data is taken from %s', async (_, body) => expect(await found(body)).toEqual(['high']));

const CARRIED: readonly (readonly [string, string, string?])[] = [
  ['a builder', 'StringBuilder b = new StringBuilder(param); String bar = b.append("_end").toString();'],
  [
    'a builder that replaces its end',
    'String bar = param; if (param != null && param.length() > 1) { StringBuilder b = new StringBuilder(param); bar = b.replace(param.length() - "Z".length(), param.length(), "Z").toString(); }',
  ],
  [
    'a list',
    'List<String> all = new ArrayList<String>(); all.add("a"); all.add(param); all.add("c"); all.remove(0); String bar = all.get(0);',
  ],
  [
    'a map',
    'HashMap<String, Object> map = new HashMap<String, Object>(); map.put("a", "x"); map.put("b", param); map.put("c", "y"); String bar = (String) map.get("b");',
  ],
  [
    'Base64 and back',
    'String bar = new String(org.apache.commons.codec.binary.Base64.decodeBase64(org.apache.commons.codec.binary.Base64.encodeBase64(param.getBytes())));',
  ],
  [
    'Base64 of Java and back',
    'String bar = new String(Base64.getDecoder().decode(Base64.getEncoder().encode(param.getBytes())));',
  ],
  [
    'a condition that never holds',
    'String bar; int num = 86; if ((7 * 42) - num > 400) bar = "never"; else bar = param;',
  ],
  ['a condition that always holds', 'int num = 106; String bar = (7 * 18) + num > 200 ? param : "never";'],
  ['a quotient', 'int num = 196; String bar; if ((500 / 42) + num > 200) bar = param; else bar = "never";'],
  [
    'a switch',
    `String guess = "ABC";
    char target = guess.charAt(2);
    String bar;
    switch (target) {
      case 'A': bar = param; break;
      case 'B': bar = "fixed"; break;
      case 'C': case 'D': bar = param; break;
      default: bar = "other"; break;
    }`,
  ],
  [
    'a method of the class',
    'String bar = make(request, param);',
    'private static String make(HttpServletRequest request, String p) { String a = p; return a; }',
  ],
  [
    'an inner class',
    'String bar = new Maker().make(param);',
    'private class Maker { public String make(String p) throws Exception { String out = p.trim(); return out; } }',
  ],
  [
    'an escape for another place',
    'String bar = org.apache.commons.text.StringEscapeUtils.escapeJava(param);',
  ],
  ['String.format', 'String bar = String.format("%s-%d", param, 3);'],
  ['an array', 'String[] some = {"a", param}; String bar = some[1];'],
  ['a split', 'String bar = param.split(" ")[0];'],
  ['a substring', 'String bar = param.substring(0, param.length() - 1);'],
  ['an optional', 'String bar = Optional.ofNullable(param).orElse("x");'],
  [
    'a stream',
    'String bar = Arrays.stream(param.split(",")).map(String::trim).collect(java.util.stream.Collectors.joining(","));',
  ],
  [
    'a field',
    'this.kept = param; String bar = kept();',
    'private String kept; private String kept() { return this.kept; }',
  ],
  ['a character array', 'char[] c = param.toCharArray(); String bar = new String(c);'],
  ['a lambda', 'java.util.function.Function<String, String> f = s -> s + "!"; String bar = f.apply(param);'],
  ['concat', 'String bar = "a".concat(param);'],
  ['String.join', 'String bar = String.join(",", param, "b");'],
  ['a text block', 'String bar = """\n      a %s\n      """.formatted(param);'],
  [
    'a try with resources',
    'String bar; try (java.io.StringReader r = new java.io.StringReader(param)) { bar = new java.io.BufferedReader(r).readLine(); }',
  ],
  ['a switch expression', 'String bar = switch (param.length()) { case 0 -> "none"; default -> param; };'],
  [
    'a record',
    'Pair pair = new Pair(param, "b"); String bar = pair.left();',
    'record Pair(String left, String right) {}',
  ],
  [
    'a setter and a getter',
    'Item item = new Item(); item.setName(param); String bar = item.getName();',
    'static class Item { private String name; public String getName() { return name; } public void setName(String name) { this.name = name; } }',
  ],
  ['var', 'var bar = param;'],
  [
    'a do loop',
    'String bar = ""; int i = 0; do { bar += param.charAt(i); i++; } while (i < param.length());',
  ],
  ['a synchronized block', 'String bar; synchronized (this) { bar = param; }'],
  ['a nested ternary', 'String bar = param == null ? "" : param.isEmpty() ? "x" : param;'],
  [
    'an iterator',
    'List<String> l = Arrays.asList(param, "b"); Iterator<String> it = l.iterator(); String bar = it.next();',
  ],
  [
    'a set',
    'Set<String> s = new HashSet<>(); s.add(param); String bar = ""; for (String one : s) bar = one;',
  ],
  ['a deque', 'Deque<String> d = new ArrayDeque<>(); d.push(param); String bar = d.pop();'],
  ['List.of', 'String bar = List.of("a", param).get(1);'],
  ['Map.of', 'String bar = Map.of("a", param).get("a");'],
  [
    'getOrDefault',
    'Map<String, String> m = new TreeMap<>(); m.put("k", param); String bar = m.getOrDefault("k", "x");',
  ],
  [
    'a string writer',
    'java.io.StringWriter w = new java.io.StringWriter(); w.write(param); String bar = w.toString();',
  ],
  ['a string joiner', 'StringJoiner j = new StringJoiner(","); j.add(param); String bar = j.toString();'],
];
test.each(CARRIED)('data is carried by %s', async (_, body, beside) =>
  expect(await found(`${PARAM}\n${body}`, beside)).toEqual(['high']),
);

const HARMLESS: readonly (readonly [string, string, string?])[] = [
  [
    'another element of a list',
    'List<String> all = new ArrayList<String>(); all.add("a"); all.add(param); all.add("c"); all.remove(0); String bar = all.get(1);',
  ],
  [
    'another key of a map',
    'HashMap<String, Object> map = new HashMap<String, Object>(); map.put("a", "x"); map.put("b", param); String bar = (String) map.get("b"); bar = (String) map.get("a");',
  ],
  [
    'a condition that always holds',
    'String bar; int num = 86; if ((7 * 42) - num > 200) bar = "always"; else bar = param;',
  ],
  ['a choice that always holds', 'int num = 106; String bar = (7 * 18) + num > 200 ? "always" : param;'],
  ['a quotient', 'int num = 196; String bar; if ((500 / 42) + num > 200) bar = "always"; else bar = param;'],
  ['a quotient in a choice', 'int num = 86; String bar = (500 / 42) + num > 200 ? param : "always";'],
  [
    'a switch over a constant',
    `String guess = "ABC";
    char target = guess.charAt(1);
    String bar;
    switch (target) {
      case 'A': bar = param; break;
      case 'B': bar = "fixed"; break;
      case 'C': case 'D': bar = param; break;
      default: bar = "other"; break;
    }`,
  ],
  [
    'a switch over a text',
    `String kind = "b";
    String bar = switch (kind) { case "a" -> param; case "b" -> "fixed"; default -> "other"; };`,
  ],
  [
    'a method that gives something else',
    'String bar = make(param);',
    'private String make(String p) { String a = p; String b = "fixed"; return b; }',
  ],
  [
    'an inner class that gives something else',
    'String bar = new Maker().make(request, param);',
    'private class Maker { public String make(HttpServletRequest r, String p) { int n = 3; String out; if (n * 2 > 5) out = "fixed"; else out = p; return out; } }',
  ],
  [
    'a constant through a builder',
    'String g = "fixed"; StringBuilder b = new StringBuilder(g); String bar = b.toString();',
  ],
  [
    'a constant with an end',
    'StringBuilder b = new StringBuilder("fixed"); b.append("_end"); String bar = b.toString();',
  ],
  [
    'a constant of a chain',
    `String a = param;
    StringBuilder b = new StringBuilder(a);
    b.append(" Stuff");
    b.replace(b.length() - "Chars".length(), b.length(), "Chars");
    HashMap<String, Object> map = new HashMap<String, Object>();
    map.put("k", b.toString());
    String c = (String) map.get("k");
    String d = c.substring(0, c.length() - 1);
    String e = new String(Base64.getDecoder().decode(Base64.getEncoder().encode(d.getBytes())));
    String f = e.split(" ")[0];
    String g = "harmless";
    String bar = echo(g);`,
    'private String echo(String s) { return new StringBuilder(s).toString(); }',
  ],
  [
    'a constant of Base64 and back',
    'String bar = new String(Base64.getDecoder().decode(Base64.getEncoder().encode("a b".getBytes())));',
  ],
  ['a number', 'int n = Integer.parseInt(param); String bar = String.valueOf(n);'],
  ['a boolean', 'boolean b = Boolean.parseBoolean(param); String bar = b ? "x" : "y";'],
  ['an enum', 'String bar = Kind.valueOf(param).name();', 'enum Kind { A, B }'],
  ['a check of a set', 'if (!Set.of("a", "b").contains(param)) return; String bar = param;'],
  [
    'a check by a pattern',
    'if (!param.matches("[a-z]+")) throw new IllegalArgumentException(); String bar = param;',
  ],
  ['the length', 'String bar = "" + param.length();'],
  ['a text constant', 'String bar = "a".concat("b");'],
  ['a constant of a field', 'String bar = NAME;', 'private static final String NAME = "goods";'],
  ['a constant format', 'String bar = String.format("%s-%d", "a", 3);'],
  ['a constant array', 'String[] some = {"a", param}; String bar = some[0];'],
  ['a constant that is trimmed', 'String bar = " a ".trim().toLowerCase().substring(0, 1);'],
  ['a constant list', 'List<String> l = Arrays.asList("a", "b"); String bar = l.get(1);'],
];
test.each(HARMLESS)('no data comes by %s', async (_, body, beside) =>
  expect(await found(`${PARAM}\n${body}`, beside)).toEqual([]),
);
