import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Objects of the file: methods that are called by their name alone, constructors, fields, classes above a class. */

const scanner = createSourceScanner();

/** Lines of findings at or above medium. */
async function foundIn(path: string, text: string): Promise<number[]> {
  const found = await scanner.scan({ path, text }, { deep: true });
  return found
    .filter(({ severity }) => severity !== 'low' && severity !== 'info')
    .map(({ line = 0 }) => line);
}

/** The line that is to be found has `// here`, or `# here`. */
async function expectHere(path: string, text: string): Promise<void> {
  const here = text.split('\n').flatMap((line, at) => (/(?:\/\/|#) here/.test(line) ? [at + 1] : []));
  expect(await foundIn(path, text)).toEqual(here);
}

const servlet = (body: string) =>
  `import javax.servlet.http.*;\npublic class A extends HttpServlet {\n${body}\n}\n`;
const get = (lines: string) =>
  `public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {\nString p = req.getParameter("p");\n${lines}\n}`;

test.each([
  [
    'a method by its name alone',
    `${get('run(clean(p));\nrun(p);')}
void run(String c) throws Exception {
  Runtime.getRuntime().exec(c); // here
}
String clean(String c) { return "a"; }`,
  ],
  [
    'what a method by its name alone gives',
    `${get('Runtime.getRuntime().exec(keep(p)); // here\nRuntime.getRuntime().exec(other(p));')}
private static String keep(String c) { String d = c; return d; }
private static String other(String c) { return "ls"; }`,
  ],
  [
    'the method that takes as many arguments',
    `${get('Runtime.getRuntime().exec(pick(p, "a"));\nRuntime.getRuntime().exec(pick(p)); // here')}
String pick(String c) { return c; }
String pick(String c, String d) { return d; }`,
  ],
  [
    'a method of the class around a class',
    `${get('new Inner().work(p);')}
class Inner { void work(String c) throws Exception { run(c); } }
void run(String c) throws Exception {
  Runtime.getRuntime().exec(c); // here
}`,
  ],
  [
    'a static class within the class',
    `${get('String bar = new Test().doSomething(req, p);\nRuntime.getRuntime().exec(bar); // here')}
private class Test { public String doSomething(HttpServletRequest r, String param) { return param; } }`,
  ],
  [
    'a constructor and a field',
    `${get('Runtime.getRuntime().exec(new Holder(p).value()); // here\nRuntime.getRuntime().exec(new Holder("a").value());')}
static class Holder {
  private final String held;
  Holder(String given) { this.held = given; }
  String value() { return held; }
}`,
  ],
  [
    'a field that another method fills',
    `${get('Holder h = new Holder();\nh.fill(p);\nRuntime.getRuntime().exec(h.held); // here\nHolder i = new Holder();\ni.fill("a");\nRuntime.getRuntime().exec(i.held);')}
static class Holder { String held; void fill(String given) { held = given; } }`,
  ],
  [
    'accessors that are not written out',
    `${get('Form f = new Form();\nf.setName(p);\nf.setPlace("a");\nRuntime.getRuntime().exec(f.getPlace());\nRuntime.getRuntime().exec(f.getName()); // here')}
@Data static class Form { private String name; private String place; }`,
  ],
  [
    'a field by its declared class',
    `private Runner runner;\n${get('runner.run(p);')}
static class Runner { void run(String c) throws Exception {
  Runtime.getRuntime().exec(c); // here
} }`,
  ],
])('Java: %s', async (_, body) => {
  await expectHere('A.java', servlet(body));
});

test('Java: an inherited method is followed, where the class itself is the servlet', async () => {
  await expectHere(
    'A.java',
    `import javax.servlet.http.*;
class Base extends HttpServlet {
  void run(String c) throws Exception {
    Runtime.getRuntime().exec(c); // here
  }
}
class A extends Base {
  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception { run(req.getParameter("p")); }
}`,
  );
});

test('C#: methods by name, base classes, constructors, fields, partial classes', async () => {
  await expectHere(
    'A.cs',
    `using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;
public class Base : Controller {
  protected void Run(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
}
public partial class AController : Base {
  private readonly Store store;
  public IActionResult Get() {
    string p = Request.Query["p"];
    Run(Fixed(p));
    Run(p);
    store.Put(p);
    new Store("a").Put("b");
    Other(p);
    return Ok();
  }
  private static string Fixed(string c) { return "a"; }
}
public partial class AController {
  private void Other(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
}
public class Store {
  private string name;
  public Store(string name) { this.name = name; }
  public void Put(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
}
`,
  );
});

test('Ruby: methods without receiver and parentheses, instance variables, objects', async () => {
  await expectHere(
    'a_controller.rb',
    `class AController < ApplicationController
  def show
    system(command) # here
    system(fixed)
    run(params[:p])
    Store.new(params[:p]).go
    Store.new("a").stay
    Store.look(params[:p])
  end

  private

  def command
    params[:p]
  end

  def fixed
    "ls"
  end

  def run(c)
    system(c) # here
  end
end

class Store
  def initialize(name)
    @name = name
  end

  def go
    system(@name) # here
  end

  def stay
    system("a", @name)
  end

  def self.look(c)
    system(c) # here
  end
end
`,
  );
});

test('JavaScript: constructor functions, prototypes, classes', async () => {
  await expectHere(
    'a.js',
    `const { exec } = require('child_process');
const app = require('express')();
function Store(name) {
  this.name = name;
  this.run = (c) => {
    exec(c); // here
  };
}
Store.prototype.go = function (c) {
  exec(c); // here
};
class Holder {
  constructor(name) { this.name = name; }
  start() {
    exec(this.name); // here
  }
}
class Other extends Holder {}
app.get('/', (req, res) => {
  const store = new Store(req.query.p);
  exec(store.name); // here
  exec(new Store('a').name);
  store.run(req.query.p);
  store.go(req.query.p);
  new Other(req.query.p).start();
});
`,
  );
});

test('PHP and Python: constructors, fields and methods', async () => {
  await expectHere(
    'a.php',
    `<?php
class Store {
  private $name;
  function __construct($name) { $this->name = $name; }
  function go() {
    system($this->name); // here
  }
}
$store = new Store($_GET['p']);
$store->go();
`,
  );
  await expectHere(
    'a.py',
    `import os
from flask import Flask, request
app = Flask('x')
class Base:
    def __init__(self, name):
        self.name = name
class Store(Base):
    def go(self):
        os.system(self.name) # here
@app.route('/')
def view():
    Store(request.args['p']).go()
    return 'a'
`,
  );
});

test('an argument list with a shell that depends on the system, and a prepared statement', async () => {
  await expectHere(
    'A.java',
    servlet(
      get(`String a1; String a2;
if (System.getProperty("os.name").startsWith("Windows")) { a1 = "cmd.exe"; a2 = "/c"; } else { a1 = "sh"; a2 = "-c"; }
String[] args = {a1, a2, "echo " + p};
new ProcessBuilder(args); // here
java.util.List<String> list = new java.util.ArrayList<String>();
list.add(a1); list.add(a2); list.add("echo " + p);
new ProcessBuilder().command(list); // here
new ProcessBuilder("ls", "-l", p);`),
    ),
  );
  await expectHere(
    'a.go',
    `package a
import ("net/http"; "database/sql")
func h(w http.ResponseWriter, r *http.Request, other *sql.Stmt) {
  p := r.URL.Query().Get("p")
  stmt, _ := db.Prepare("select * from a where b=? and c=?")
  stmt.QueryRow(p, p).Scan(&x)
  other.Query(p)
  db.QueryRow("select * from a where b=" + p) // here
}
`,
  );
});
