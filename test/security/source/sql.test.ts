// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is scanned
import { expect, test } from 'vitest';
import { TEXT_CONDITIONS } from '../../../src/security/scanners/source/rules/text-conditions.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Lines of a handler of requests, in files that name no database: it is handed over, or made elsewhere. */
interface Case {
  readonly path: string;
  around(line: string): string;
  readonly found: readonly string[];
  readonly clean: readonly string[];
}

const inExpress = (line: string) =>
  `module.exports = (app, db, pool) => {\napp.get('/x', async (req, res) => {\n${line}\n});\n};\n`;
const inFlask = (line: string) =>
  `from flask import request\ndef view(cur):\n${line.replace(/^/gm, '    ')}\n`;
const inGo = (line: string) =>
  `package a\nimport (\n"fmt"\n"net/http"\n)\nfunc (s *Server) h(w http.ResponseWriter, r *http.Request) {\nid := r.URL.Query().Get("id")\n${line}\n_ = fmt.Sprint(1)\n}\n`;
const inServlet = (line: string) =>
  `import javax.servlet.http.*;\npublic class A {\n  private Store db;\n  public void doGet(HttpServletRequest req, HttpServletResponse resp) {\n    String id = req.getParameter("p");\n${line}\n  }\n}\n`;
const inPhp = (line: string) => `<?php\nfunction f($db) {\n$id = $_GET["id"];\n${line}\n}\n`;
const inRails = (line: string) => `class A < ApplicationController\ndef show\n${line}\nend\nend\n`;
const inController = (line: string) =>
  `using Microsoft.AspNetCore.Mvc;\npublic class A : Controller {\n private readonly IStore _db;\n [HttpGet]\n public IActionResult Get(string id) {\n${line}\n return Ok();\n}\n}\n`;

const CASES: readonly Case[] = [
  {
    path: 'a.js',
    around: inExpress,
    found: [
      "db.query('SELECT * FROM t WHERE id=' + req.query.id);",
      'pool.query(`SELECT a FROM t WHERE id=${req.params.id}`);',
      'req.app.locals.db.query(`select a, b from t where id=${req.params.id}`);',
      "const c = await pool.getConnection(); await c.execute('UPDATE t SET a=\\'' + req.body.a + '\\'');",
      'knexy.raw(`DELETE FROM t WHERE id = ${req.body.id}`);',
      "db.get('SELECT * FROM t WHERE a = \"' + req.query.a + '\"', cb);",
      'db.all(`\n  SELECT *\n  FROM t\n  WHERE a = ${req.query.a}`);',
      "store.run('INSERT INTO t VALUES (' + req.query.a + ')');",
      "db.query(`SELECT * FROM t WHERE a IN (${req.body.ids.map((id) => `'${id}'`).join()})`);",
      "let q = 'SELECT * FROM t'; if (req.query.a) q += ' WHERE a=' + req.query.a; db.query(q);",
      "db.query({ text: 'SELECT * FROM t WHERE a=' + req.query.a });",
      "db.query('SELECT * FROM t WHERE a='.concat(req.query.a));",
      "const util = require('util'); db.query(util.format('SELECT * FROM t WHERE a=%s', req.query.a));",
      'db.all(`SELECT * FROM t ORDER BY ${req.query.sort}`.trim())',
      'const [rows] = await this.db.query("SELECT * FROM t WHERE a=\'" + req.query.a + "\'")',
    ],
    clean: [
      "db.query('SELECT * FROM t WHERE id=?', [req.query.id]);",
      "db.query({ text: 'SELECT * FROM t WHERE a=$1', values: [req.query.a] });",
      "db.get('SELECT * FROM t WHERE a = ' + Number(req.query.a));",
      "cache.get('item:' + req.query.a);",
      "cache.get('select one from the list ' + req.query.a);",
      "t.run('Select a user from the list ' + req.query.a);",
      'Promise.all([req.query.a]);',
      "const ids = req.body.ids; db.query(`SELECT * FROM t WHERE a IN (${ids.map(() => '?').join(',')})`, ids);",
      'db.query(`SELECT * FROM t WHERE a IN (${req.body.ids.map((_, i) => `$${i + 1}`).join()})`, req.body.ids);',
      'db.query(`SELECT * FROM t WHERE a IN (${req.body.ids.map(Number).join()})`);',
      "const d = req.query.d === 'desc' ? 'DESC' : 'ASC'; db.query('SELECT * FROM t ORDER BY a ' + d);",
      'db.query(sql`SELECT * FROM t WHERE a=${req.query.a}`);',
      'db.query`SELECT * FROM t WHERE a=${req.query.a}`;',
      "const sorts = { a: 'a', b: 'b' }; db.query('SELECT * FROM t WHERE a=? ORDER BY ' + (req.query.s === 'x' ? 'a' : 'b'), [req.query.a]);",
      "log.query('update of ' + req.query.a)",
      "db.query('SELECT * FROM t WHERE id=' + db.escape(req.query.id));",
      'db.query(`SELECT * FROM ${TABLE} WHERE id=?`, [req.query.id]);',
      "const m = require('mysql').createConnection({}); m.query({ sql: 'SELECT * FROM t WHERE a=?', values: [req.query.a] });",
    ],
  },
  {
    path: 'a.py',
    around: inFlask,
    found: [
      'cur.execute("SELECT * FROM t WHERE id=%s" % request.args[\'id\'])',
      "cur.execute('SELECT * FROM t WHERE id=' + request.args['id'])",
      'cur.execute(f"SELECT * FROM t WHERE id={request.args[\'id\']}")',
      "cur.execute('SELECT * FROM t WHERE id={}'.format(request.args['id']))",
      "g.conn.cursor().execute('delete from t where a=%s' % request.form.get('a'))",
      "query_db(\"SELECT * FROM t WHERE id='%s'\" % request.args['id'])",
      "q = 'SELECT * FROM t WHERE 1=1'\nif request.args.get('a'):\n    q += \" AND a='%s'\" % request.args['a']\ncur.execute(q)",
      "cur.execute(' '.join(['SELECT * FROM t', 'WHERE a=' + request.args['a']]))",
    ],
    clean: [
      "cur.execute('SELECT * FROM t WHERE id=%s', (request.args['id'],))",
      "cur.execute('SELECT * FROM t WHERE id=%d' % int(request.args['id']))",
      "job.execute('run ' + request.args['id'])",
      "ids = request.json['ids']\nmarks = ','.join(['?'] * len(ids))\ncur.execute('SELECT * FROM t WHERE a IN (%s)' % marks, ids)",
      "cur.execute('SELECT * FROM t WHERE a IN (%s)' % ','.join('?' * len(request.json['ids'])), request.json['ids'])",
      "cur.execute('SELECT * FROM t WHERE id=:id', {'id': request.args['id']})",
      "cur.execute(f'SELECT * FROM t WHERE id IN ({marks})', [request.args['id']])",
    ],
  },
  {
    path: 'a.go',
    around: inGo,
    found: [
      's.db.Query("SELECT * FROM t WHERE id=" + id)',
      's.db.Query(fmt.Sprintf("SELECT * FROM t WHERE id=%s", id))',
      's.pool.QueryRow(r.Context(), fmt.Sprintf("SELECT a FROM t WHERE id=\'%s\'", id))',
      's.db.ExecContext(r.Context(), "DELETE FROM t WHERE id="+id)',
      's.db.Raw("SELECT * FROM t WHERE id=" + id).Scan(&x)',
      's.db.Select(&x, "SELECT * FROM t WHERE id="+id)',
    ],
    clean: [
      's.db.Query("SELECT * FROM t WHERE id=$1", id)',
      's.cache.Get("item" + id)',
      's.pool.QueryRow(r.Context(), "SELECT a FROM t WHERE id=$1", id)',
      'n, _ := strconv.Atoi(id); s.db.Query(fmt.Sprintf("SELECT * FROM t WHERE id=%d", n))',
      's.db.Select(&x, "SELECT * FROM t WHERE id=?", "a" + id)',
    ],
  },
  {
    path: 'A.java',
    around: inServlet,
    found: [
      'db.query("SELECT * FROM t WHERE id=\'" + id + "\'");',
      'db.rawQuery("SELECT * FROM t WHERE id=" + id, null);',
      'db.execute(String.format("DELETE FROM t WHERE id=%s", id));',
      'StringBuilder sb = new StringBuilder("SELECT * FROM t WHERE id="); sb.append(id); db.update(sb.toString());',
      'String q = "SELECT * FROM t"; q += " WHERE a=" + id; db.find(q);',
    ],
    clean: [
      'db.query("SELECT * FROM t WHERE id=?", id);',
      'db.query("SELECT * FROM t WHERE id=" + Integer.parseInt(id));',
      'db.find("items of " + id);',
      'db.update("update of " + id);',
    ],
  },
  {
    path: 'a.php',
    around: inPhp,
    found: [
      '$db->query("SELECT * FROM t WHERE id=$id");',
      '$db->fetchAll("SELECT * FROM t WHERE id=" . $id);',
      'DB::select("SELECT * FROM t WHERE id=$id");',
      'db_query("SELECT * FROM t WHERE id=\'$id\'");',
      '$db->select(sprintf("SELECT * FROM t WHERE id=%s", $id));',
      '$this->pdo->run("DELETE FROM t WHERE id=" . $_POST["a"]);',
      '$q = "SELECT * FROM t "; $q .= "WHERE a=$id"; $db->fetchOne($q);',
    ],
    clean: [
      '$db->fetchAll("SELECT * FROM t WHERE id=?", [$id]);',
      '$db->select("SELECT * FROM t WHERE id=" . (int)$id);',
      '$db->insert("items", ["a" => $id]);',
      '$db->fetchAll("SELECT * FROM t WHERE id=" . intval($id));',
      '$x->run("show " . $id);',
      '$m = implode(",", array_map("intval", $_POST["ids"])); $db->fetchAll("SELECT * FROM t WHERE a IN ($m)");',
      '$n = count($_POST["ids"]); $db->fetchAll("SELECT * FROM t WHERE a IN (" . str_repeat("?,", $n) . "?)", $_POST["ids"]);',
    ],
  },
  {
    path: 'a.rb',
    around: inRails,
    found: [
      '@db.query("SELECT * FROM t WHERE id=#{params[:id]}")',
      'client.query("SELECT * FROM t WHERE id=" + params[:id])',
      'DB.fetch("SELECT * FROM t WHERE id=\'#{params[:id]}\'").all',
      'db.get_first_row("select a from t where id = %s" % params[:id])',
      'conn.exec("DELETE FROM t WHERE id=#{params[:id]}")',
      'db.run(format("DELETE FROM t WHERE id=%s", params[:id]))',
    ],
    clean: [
      'client.query("SELECT * FROM t WHERE id=#{params[:id].to_i}")',
      'cache.fetch("item/#{params[:id]}")',
      'client.query("SELECT * FROM t WHERE a IN (#{params[:ids].map { |_| 1 }.join})", params[:ids])',
      'DB.fetch("SELECT * FROM t WHERE id=?", params[:id])',
      'db.prepare("SELECT * FROM t WHERE id=?").execute(params[:id])',
    ],
  },
  {
    path: 'A.cs',
    around: inController,
    found: [
      '_db.Query<User>("SELECT * FROM t WHERE id=" + id);',
      '_db.Execute($"DELETE FROM t WHERE id={id}");',
      '_db.ExecuteReader("SELECT * FROM t WHERE id=\'" + id + "\'");',
      'await _db.QueryAsync<User>($"SELECT * FROM t WHERE id={id}");',
      '_db.ExecuteNonQuery(string.Format("UPDATE t SET a={0}", id));',
      'var sb = new StringBuilder(); sb.Append("SELECT * FROM t WHERE id="); sb.Append(id); _db.Query(sb.ToString());',
    ],
    clean: [
      '_db.Query<User>("SELECT * FROM t WHERE id=@id", new { id });',
      '_db.Execute("run " + id);',
      '_db.Execute("DELETE FROM t WHERE id=" + int.Parse(id));',
      '_db.Get("SELECT a" + id);',
    ],
  },
];

const scanner = createSourceScanner();
const RULE = 'source/sql-injection';

async function severities(path: string, text: string, deep: boolean): Promise<string[]> {
  const findings = await scanner.scan({ path, text }, { deep });
  return findings.filter((one) => one.id === RULE).map((one) => one.severity);
}

const BOTH = CASES.flatMap((one) => (one.path === 'a.js' ? [one, { ...one, path: 'a.ts' }] : [one]));
const rows = (pick: (one: Case) => readonly string[]) =>
  BOTH.flatMap((one) => pick(one).map((line) => [one.path, line, one.around(line)] as const));

test.each(rows(({ found }) => found))('%s: SQL with request data in it: %s', async (path, _line, text) => {
  expect(await severities(path, text, true)).toEqual(['high']);
  expect(await severities(path, text, false)).toEqual(['high']);
});

test.each(rows(({ clean }) => clean))('%s: no SQL with request data in it: %s', async (path, _line, text) => {
  expect(await severities(path, text, true)).toEqual([]);
  expect(await severities(path, text, false)).toEqual([]);
});

test('a statement is followed through a function of the file in a deep scan', async () => {
  const text = inExpress(
    "const q = build('SELECT * FROM t WHERE a=' + req.query.a); db.query(q);\nfunction build(x) { return x + ' LIMIT 1'; }",
  );
  expect(await severities('a.js', text, true)).toEqual(['high']);
});

test('a recursive mapping function is analysed in bounded time', async () => {
  const text = inExpress(
    'const f = (x) => req.body.ids.map(f);\ndb.query(`SELECT * FROM t WHERE a IN (${req.body.ids.map(f).join()})`);',
  );
  expect(await severities('a.js', text, true)).toEqual(['high']);
});

test('user input and parameters are not reported where the receiver is unknown', async () => {
  expect(await severities('a.js', "db.all('SELECT * FROM t WHERE a=' + process.argv[2]);\n", true)).toEqual(
    [],
  );
  expect(
    await severities('a.js', "export const f = (db, a) => db.all('SELECT * FROM t WHERE a=' + a);\n", true),
  ).toEqual([]);
});

test.each([
  'SELECT * FROM t',
  ' \n select a, b\nfrom t where',
  'select a from t ',
  'WITH x AS (SELECT 1 FROM t) ',
  '/* who */ SELECT a FROM \0',
  'EXPLAIN ANALYZE SELECT a FROM t ',
  'SELECT set_config(',
  'INSERT INTO t ',
  'INSERT OR REPLACE INTO t ',
  'REPLACE INTO t ',
  'UPDATE \0 SET a=',
  'UPDATE t AS x SET a=',
  'DELETE FROM t',
  'DROP TABLE IF EXISTS \0',
  'CREATE UNIQUE INDEX i ',
  'CALL p(',
  '\0 SELECT a FROM t ',
])('a text is recognised as SQL: %j', (text) => {
  expect(TEXT_CONDITIONS.sql.is.test(`${text} `)).toBe(true);
  expect(TEXT_CONDITIONS.sql.written.test(`${text} `)).toBe(true);
});

test.each([
  '',
  'item/\0',
  'Select a user of the list \0',
  'Please select one from the list \0',
  'selected \0 from \0',
  'update of \0',
  'delete \0',
  'from \0',
  'call \0',
])('a text is not recognised as SQL: %j', (text) => {
  expect(TEXT_CONDITIONS.sql.is.test(`${text} `)).toBe(false);
});

test('recognising SQL takes bounded work per character', {
  timeout: 60_000,
}, () => {
  for (const part of ['( ', 'update a ', '\\0', 'create a ', 'call a', 'insert a ', 'delete\\n']) {
    expect(TEXT_CONDITIONS.sql.is.test(part.repeat(1000))).toBe(false);
    expect(TEXT_CONDITIONS.sql.written.test(part.repeat(100_000))).toBe(false);
  }
});
