import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Data from outside that reaches a place in another file. */

const scanner = createSourceScanner();

type Texts = Readonly<Record<string, string>>;

async function together(files: Texts) {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const found = await scanner.together?.scan(all, { deep: true }, () => undefined);
  return found?.findings ?? [];
}

/** The lines that are to be found have `// here`, or `# here`. */
async function expectHere(files: Texts): Promise<void> {
  const here = Object.entries(files).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, at) => (/(?:\/\/|#) here/.test(line) ? [`${path}:${at + 1}`] : [])),
  );
  const found = (await together(files)).filter(({ severity }) => severity !== 'low' && severity !== 'info');
  expect(found.map(({ path, line }) => `${path}:${line}`).sort()).toEqual(here.sort());
}

const ROUTE = "const app = require('express')();";
const RUN = "const { exec } = require('child_process');";

test.each<[string, Texts]>([
  [
    'a function of a file that is required, and one of which nothing comes in',
    {
      'app.js': `${ROUTE}
const run = require('./tools/run');
const { start, fixed } = require('./tools');
app.get('/', (req, res) => { run.go(req.query.p); start(req.query.p); fixed(req.query.p); });
`,
      'tools/run.js': `${RUN}
exports.go = (c) => {
  exec(c); // here
};
exports.other = (c) => exec(c);
`,
      'tools/index.js': `${RUN}
function start(c) {
  exec(c); // here
}
module.exports = { start, fixed: (c) => exec('ls') };
`,
    },
  ],
  [
    'what a function of another file gives',
    {
      'app.js': `${RUN}
${ROUTE}
const { pick, none } = require('./pick');
app.get('/', (req, res) => {
  exec(pick(req)); // here
  exec(none(req));
});
`,
      'pick.js': `exports.pick = (r) => r.query.name;
exports.none = (r) => 'a';
`,
    },
  ],
  [
    'an object that is made of a constructor, as routes and data objects are',
    {
      'routes/users.js': `const UserDAO = require('../data/user-dao').UserDAO;
function Users(db) {
  const dao = new UserDAO(db);
  this.show = (req, res) => { dao.find(req.query.p, () => res.end()); };
}
module.exports = Users;
`,
      'data/user-dao.js': `${RUN}
function UserDAO(db) {
  this.find = (id, done) => {
    exec(id, done); // here
  };
}
module.exports.UserDAO = UserDAO;
`,
      'server.js':
        "const Users = require('./routes/users');\nmodule.exports = (app, db) => { app.get('/', new Users(db).show); };\n",
    },
  ],
  [
    'modules with imports and exports, names that change on the way, files in between',
    {
      'app.ts': `import express from 'express';
import start, { run as go } from './lib/index.js';
import * as all from '@/lib/more';
const app = express();
app.get('/', (req, res) => { start(req.query.p); go(req.query.p); all.last(req.query.p); });
`,
      'lib/index.ts':
        "export { begin as run } from './run';\nexport * from './run';\nexport { default } from './start';\n",
      'lib/run.ts': `import { exec } from 'child_process';
export function begin(c: string) {
  exec(c); // here
}
`,
      'lib/start.ts': `import { exec } from 'child_process';
export default function (c: string) {
  exec(c); // here
}
`,
      'src/lib/more.ts': `import { exec } from 'child_process';
const first = (c: string) => {
  exec(c); // here
};
export { first as last };
`,
    },
  ],
  [
    'a class that is given to a constructor by its type',
    {
      'cats.controller.ts': `import { CatsService } from './cats.service';
@Controller('cats')
export class CatsController {
  constructor(private readonly cats: CatsService) {}
  @Get()
  find(@Query('name') name: string) { return this.cats.find(name); }
}
`,
      'cats.service.ts': `import { exec } from 'child_process';
export class CatsService {
  find(name: string) {
    return exec('ls ' + name); // here
  }
}
`,
    },
  ],
])('JavaScript: %s', async (_, files) => {
  await expectHere(files);
});

test('Python: modules, packages, relative imports, classes', async () => {
  await expectHere({
    'site/views.py': `from flask import Flask, request
from .store import Store, run as go
from site.tools import shell
import site.tools.more as more
app = Flask('x')
@app.route('/')
def view():
    go(request.args['p'])
    Store(request.args['p']).start()
    shell.run(request.args['p'])
    more.last(request.args['p'])
    return 'a'
`,
    'site/store.py': `import os
class Store:
    def __init__(self, name):
        self.name = name
    def start(self):
        os.system(self.name) # here
def run(c):
    os.system(c) # here
`,
    'site/tools/__init__.py': '',
    'site/tools/shell.py': `import os
def run(c):
    os.system(c) # here
`,
    'site/tools/more.py': `import os
def last(c):
    os.system(c) # here
`,
  });
});

test('Go: functions and methods of a package in several files, and of imported packages', async () => {
  await expectHere({
    'users/handler.go': `package users
import ("net/http"; "github.com/owner/app/util/shell")
func handle(w http.ResponseWriter, r *http.Request) {
  p := NewProfile()
  p.Load(shell.Param(r))
  shell.Run(r.FormValue("p"))
}
`,
    'users/profile.go': `package users
import "os/exec"
type Profile struct { Name string }
func NewProfile() *Profile { return &Profile{} }
func (p *Profile) Load(id string) {
  exec.Command("sh", "-c", "ls " + id) // here
}
`,
    'util/shell/run.go': `package shell
import ("net/http"; "os/exec")
func Run(c string) {
  exec.Command("sh", "-c", c) // here
}
func Param(r *http.Request) string { return r.FormValue("q") }
`,
  });
});

const SERVICE = `package app.users;
import java.sql.*;
public class UserServiceImpl implements UserService {
  private Connection conn;
  public void find(String name) throws Exception {
    conn.createStatement().executeQuery("select * from t where a = '" + name + "'"); // here
  }
}
`;

test('Java: a field by its declared interface type, and static methods', async () => {
  await expectHere({
    'app/web/UserController.java': `package app.web;
import app.users.UserService;
import app.tools.Shell;
import org.springframework.web.bind.annotation.*;
@RestController
public class UserController {
  @Autowired private UserService users;
  @GetMapping("/a")
  public String show(@RequestParam String name) throws Exception {
    users.find(name);
    Shell.run(name);
    return "a";
  }
}
`,
    'app/users/UserService.java':
      'package app.users;\npublic interface UserService { void find(String name) throws Exception; }\n',
    'app/users/UserServiceImpl.java': SERVICE,
    'app/tools/Shell.java': `package app.tools;
public class Shell {
  public static void run(String c) throws Exception {
    Runtime.getRuntime().exec(c); // here
  }
}
`,
  });
});

test('C#: base classes and partial classes in other files, and constructor arguments', async () => {
  await expectHere({
    'Web/UserController.cs': `using Microsoft.AspNetCore.Mvc;
public partial class UserController : BaseController {
  private readonly IStore store;
  public UserController(IStore given) { store = given; }
  public IActionResult Get() {
    string p = Request.Query["p"];
    Run(p);
    base.Again(p);
    Other(p);
    store.Put(p);
    return Ok();
  }
}
`,
    'Web/BaseController.cs': `using System.Diagnostics;
public class BaseController : Controller {
  protected void Run(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
  protected virtual void Again(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
}
`,
    'Web/UserController.Other.cs': `using System.Diagnostics;
public partial class UserController {
  private void Other(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
}
`,
    'Data/Store.cs': `using System.Diagnostics;
public interface IStore { void Put(string c); }
public class Store : IStore {
  public void Put(string c) {
    Process.Start("cmd", "/c " + c); // here
  }
}
`,
  });
});

test('PHP: included files, functions, and classes by name', async () => {
  await expectHere({
    'index.php': `<?php
$id = $_GET['id'];
require_once 'lib/tools.php';
include __DIR__ . '/lib/page.php';
run($_GET['p']);
(new Store($_GET['p']))->go();
`,
    'lib/tools.php': `<?php
function run($c) {
  system($c); // here
}
`,
    'lib/page.php': `<?php
system($id); // here
`,
    'lib/Store.php': `<?php
class Store {
  private $name;
  function __construct($name) { $this->name = $name; }
  function go() {
    system($this->name); // here
  }
}
`,
  });
});

test('Ruby: classes and modules by name, and a base class in another file', async () => {
  await expectHere({
    'app/controllers/users_controller.rb': `class UsersController < ApplicationController
  def show
    User.look(params[:p])
    Tools::Shell.run(params[:p])
    system(given) # here
  end
end
`,
    'app/controllers/application_controller.rb': `class ApplicationController < ActionController::Base
  def given
    params[:q]
  end
end
`,
    'app/models/user.rb': `class User < ApplicationRecord
  def self.look(c)
    system(c) # here
  end
end
`,
    'lib/tools/shell.rb': `module Tools
  class Shell
    def self.run(c)
      system(c) # here
    end
  end
end
`,
  });
});

test('the steps of a data flow name their files, and the finding is in the file of the sink', async () => {
  const [found] = await together({
    'app.js': `${ROUTE}\nconst run = require('./run');\napp.get('/', (req, res) => run(req.query.p));\n`,
    'run.js': `${RUN}\nmodule.exports = (c) => exec(c);\n`,
  });
  expect(found?.path).toBe('run.js');
  expect(found?.severity).toBe('critical');
  expect(found?.trace?.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'app.js:3',
    'app.js:3',
    'run.js:2',
  ]);
});

test('files that import each other or themselves are scanned in finite time', async () => {
  await expectHere({
    'a.js': `${ROUTE}\nconst b = require('./b');\nexports.x = (c) => b.y(c);\napp.get('/', (req, res) => b.y(req.query.p));\n`,
    'b.js': `${RUN}
const a = require('./a');
require('./b');
exports.y = (c) => {
  a.x(c);
  exec(c); // here
};
`,
  });
});

test('files of the main program are not tests, whatever their packages are called', async () => {
  await expectHere({
    'src/main/java/org/shop/benchmark/A.java': `package org.shop.benchmark;
import javax.servlet.http.*;
public class A extends HttpServlet {
  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {
    new B().run(req.getParameter("p"), new String[]{req.getParameter("q")});
  }
}
`,
    'src/main/java/org/shop/benchmark/B.java': `package org.shop.benchmark;
public class B {
  void run(String c, String[] environment) throws Exception {
    Runtime.getRuntime().exec(c); // here
    Runtime.getRuntime().exec("ls", environment); // here
  }
}
`,
  });
});

test('data that a function of another file makes harmless is not a finding in the calling file', async () => {
  const files = Object.entries({
    'app.js': `${RUN}\n${ROUTE}\nconst { pick, keep } = require('./pick');\napp.get('/', (req, res) => {\n  exec(pick(req.query.p));\n  exec(keep(req.query.p));\n  exec(req.query.p);\n});\n`,
    'pick.js':
      "exports.pick = (name) => (name === 'a' ? 'ls' : 'pwd');\nexports.keep = (name) => name.trim();\n",
  }).map(([path, text]) => ({ path, text }));
  const [app] = files;
  const alone = app && (await scanner.scan(app, { deep: true }));
  expect(alone?.map(({ line }) => line)).toEqual([5, 6, 7]);
  const found = await scanner.together?.scan(files, { deep: true }, () => undefined);
  expect(found?.refuted?.map(({ id, path, line }) => `${id} ${path}:${line}`)).toEqual([
    'source/command-injection app.js:5',
  ]);
});

test('each implementation of an interface is followed, and a variable of a class type follows that class', async () => {
  await expectHere({
    'Web/Page.cs': `using Microsoft.AspNetCore.Mvc;
public class PageController : Controller {
  private IRunner runner = Settings.Current;
  public IActionResult Get() {
    string p = Request.Query["p"];
    if (!runner.Run(p)) return Ok();
    IRunner other = Settings.Make();
    other.Run(p);
    System.Diagnostics.Process.Start("cmd", "/c " + p);
    return Ok();
  }
}
`,
    'Data/IRunner.cs': 'public interface IRunner { bool Run(string c); }\n',
    'Data/Nothing.cs': 'public class Nothing : IRunner { public bool Run(string c) { return false; } }\n',
    'Data/Shell.cs': `using System.Diagnostics;
public class Shell : IRunner {
  public bool Run(string c) {
    Process.Start("cmd", "/c " + c); // here
    return true;
  }
}
`,
  });
});

test('many files that use each other, in a ring or a long chain, are scanned within the limits', async () => {
  const count = 60;
  const ring = Array.from({ length: count }, (_, at) => [
    `m${at}.js`,
    `const next = require('./m${(at + 1) % count}');\nexports.f = (a, b) => next.f(a + b, next.f(b, a));\napp.get('/${at}', (req, res) => exports.f(req.query.a, req.query.b));\n`,
  ]);
  expect(await together(Object.fromEntries(ring))).toEqual([]);
  const classes = Array.from({ length: count }, (_, at) => [
    `src/main/java/C${at}.java`,
    `public class C${at} extends C${at + 1} { C${at + 1} next = new C${at + 1}(); void f(@RequestParam String a) { next.f(a); g(a); } }\n`,
  ]);
  expect(await together(Object.fromEntries(classes))).toEqual([]);
});

test('the first step is in the file that takes data from the request, not in the file that imports the function', async () => {
  const [found] = await together({
    'inputs.py': "from flask import request\n\ndef name():\n    return request.args['name']\n",
    'app.py':
      "from flask import Flask\nfrom inputs import name\nfrom tools import run\napp = Flask(__name__)\n@app.route('/')\ndef view():\n    run(name())\n",
    'tools.py': 'import os\ndef run(command):\n    os.system(command)\n',
  });
  expect(found?.trace?.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'inputs.py:4',
    'app.py:7',
    'tools.py:3',
  ]);
});
