/** One lockfile of each kind, with what has to come out: `name@version:line` and marks (direct, development, local). */
export interface LockfileCase {
  readonly what: string;
  readonly path: string;
  readonly text: string;
  readonly beside?: Readonly<Record<string, string>>;
  readonly packages: readonly string[];
  /** `a@1 > b@2` for what needs what. */
  readonly needs?: readonly string[];
  /** `a: ^1 | ~1.2` for the ranges that ask for it. */
  readonly asked?: readonly string[];
  readonly notes?: readonly string[];
}

const SHA512 = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;

export const LOCKFILE_CASES: readonly LockfileCase[] = [
  {
    what: 'package-lock 3, with a workspace, a nested version, a link and an alias',
    path: 'package-lock.json',
    text: `{
  "lockfileVersion": 3,
  "packages": {
    "": { "dependencies": { "a": "^1.0.0" }, "devDependencies": { "tool": "~2.0.0" } },
    "node_modules/a": { "version": "1.2.0", "license": "MIT", "integrity": "${SHA512}", "dependencies": { "b": "^2.0.0" } },
    "node_modules/a/node_modules/b": { "version": "2.1.0" },
    "node_modules/b": { "version": "1.9.0" },
    "node_modules/tool": { "version": "2.0.5", "dev": true, "dependencies": { "b": "1" } },
    "node_modules/part": { "resolved": "packages/part", "link": true },
    "node_modules/other": { "name": "@real/name", "version": "3.0.0" },
    "node_modules/forked": { "version": "1.0.0", "resolved": "git+ssh://git@github.com/x/forked.git#c0ffee" },
    "packages/part": { "name": "part", "version": "0.1.0", "dependencies": { "b": "^1.9.0", "other": "npm:@real/name@3" } }
  }
}`,
    packages: [
      'a@1.2.0:5 direct',
      'b@2.1.0:6',
      'b@1.9.0:7 direct',
      'tool@2.0.5:8 direct development',
      '@real/name@3.0.0:10 direct',
      'forked@1.0.0:11 local',
    ],
    needs: ['a@1.2.0 > b@2.1.0', 'tool@2.0.5 > b@1.9.0'],
    asked: ['a: ^1.0.0', 'b: ^2.0.0', 'b: 1 | ^1.9.0', 'tool: ~2.0.0', '@real/name: npm:@real/name@3'],
  },
  {
    what: 'package-lock 1, nested, with the package.json beside it',
    path: 'app/package-lock.json',
    text: `{ "lockfileVersion": 1, "dependencies": {
  "a": { "version": "1.2.0", "requires": { "b": "^2.0.0" }, "dependencies": {
    "b": { "version": "2.1.0" } } },
  "b": { "version": "1.9.0", "dev": true },
  "c": { "version": "npm:real@4.0.0" } } }`,
    beside: { 'package.json': '{"dependencies":{"a":"^1.0.0"},"devDependencies":{"b":"1.x"}}' },
    packages: ['a@1.2.0:2 direct', 'b@2.1.0:3', 'b@1.9.0:4 direct development', 'real@4.0.0:5'],
    needs: ['a@1.2.0 > b@2.1.0'],
    asked: ['a: ^1.0.0', 'b: ^2.0.0', 'b: 1.x'],
  },
  {
    what: 'yarn 1',
    path: 'yarn.lock',
    text: `# yarn lockfile v1


"@s/a@^1.0.0", "@s/a@^1.1.0":
  version "1.2.0"
  resolved "https://registry.yarnpkg.com/@s/a/-/a-1.2.0.tgz#aa"
  integrity ${SHA512}
  dependencies:
    b "^2.0.0"

b@^2.0.0:
  version "2.0.1"
  resolved "https://registry.yarnpkg.com/b/-/b-2.0.1.tgz#bb"

"alias@npm:real@^3.0.0":
  version "3.0.0"
  resolved "https://registry.yarnpkg.com/real/-/real-3.0.0.tgz#cc"

"forked@git+https://example.com/forked.git":
  version "1.0.0"
  resolved "git+https://example.com/forked.git#dd"
`,
    beside: {
      'package.json': '{"dependencies":{"@s/a":"^1.1.0"},"devDependencies":{"alias":"npm:real@^3.0.0"}}',
    },
    packages: [
      '@s/a@1.2.0:4 direct',
      'b@2.0.1:11',
      'real@3.0.0:15 direct development',
      'forked@1.0.0:19 local',
    ],
    needs: ['@s/a@1.2.0 > b@2.0.1'],
    asked: ['@s/a: ^1.1.0', 'b: ^2.0.0', 'real: ^3.0.0'],
  },
  {
    what: 'yarn of today, with a workspace, a patch and a long key',
    path: 'yarn.lock',
    text: `__metadata:
  version: 8
  cacheKey: 10c0

"a@npm:^1.0.0, a@npm:^1.1.0":
  version: 1.2.0
  resolution: "a@npm:1.2.0"
  dependencies:
    b: "npm:^2.0.0"
  checksum: 10c0/00
  languageName: node
  linkType: hard

? "b@npm:^2.0.0, b@npm:^2.0.1"
:
  version: 2.0.1
  resolution: "b@npm:2.0.1"

"patched@patch:patched@npm%3A1.0.0#./fix.patch":
  version: 1.0.0
  resolution: "patched@patch:patched@npm%3A1.0.0#./fix.patch::version=1.0.0"

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    a: "npm:^1.1.0"
  linkType: soft
`,
    beside: { 'package.json': '{"dependencies":{"a":"^1.1.0"}}' },
    packages: ['a@1.2.0:5 direct', 'b@2.0.1:14', 'patched@1.0.0:19', 'root@0.0.0-use.local:23 local'],
    needs: ['a@1.2.0 > b@2.0.1', 'root@0.0.0-use.local > a@1.2.0'],
    asked: ['a: ^1.1.0', 'b: ^2.0.0'],
  },
  {
    what: 'pnpm 5',
    path: 'pnpm-lock.yaml',
    text: `lockfileVersion: 5.4

specifiers:
  a: ^1.0.0
  tool: ^2.0.0

dependencies:
  a: 1.2.0_react@18.0.0

devDependencies:
  tool: 2.0.0

packages:

  /a/1.2.0_react@18.0.0:
    resolution: {integrity: ${SHA512}}
    dependencies:
      '@s/b': 2.0.1
    dev: false

  /@s/b/2.0.1:
    resolution: {integrity: ${SHA512}}
    dev: false

  /tool/2.0.0:
    resolution: {integrity: ${SHA512}}
    dev: true
`,
    packages: ['a@1.2.0:15 direct', '@s/b@2.0.1:21', 'tool@2.0.0:25 direct development'],
    needs: ['a@1.2.0 > @s/b@2.0.1'],
    asked: ['a: ^1.0.0', 'tool: ^2.0.0'],
  },
  {
    what: 'pnpm 6',
    path: 'pnpm-lock.yaml',
    text: `lockfileVersion: '6.0'
dependencies:
  a:
    specifier: ^1.0.0
    version: 1.2.0(react@18.0.0)
packages:
  /a@1.2.0(react@18.0.0):
    resolution: {integrity: ${SHA512}}
    dependencies:
      '@s/b': 2.0.1
    dev: false
  /@s/b@2.0.1:
    resolution: {integrity: ${SHA512}}
`,
    packages: ['a@1.2.0:7 direct', '@s/b@2.0.1:12'],
    needs: ['a@1.2.0 > @s/b@2.0.1'],
    asked: ['a: ^1.0.0'],
  },
  {
    what: 'pnpm 9, where snapshots say what is for development',
    path: 'pnpm-lock.yaml',
    text: `lockfileVersion: '9.0'

importers:
  .:
    dependencies:
      a:
        specifier: ^1.0.0
        version: 1.2.0(react@18.0.0)
    devDependencies:
      tool:
        specifier: ^2.0.0
        version: 2.0.0

packages:
  a@1.2.0:
    resolution: {integrity: ${SHA512}}
    peerDependencies:
      react: '*'
  '@s/b@2.0.1':
    resolution: {integrity: ${SHA512}}
  tool@2.0.0:
    resolution: {integrity: ${SHA512}}
  helper@1.0.0:
    resolution: {integrity: ${SHA512}}
  forked@https://codeload.github.com/x/forked/tar.gz/c0ffee:
    resolution: {tarball: https://codeload.github.com/x/forked/tar.gz/c0ffee}
    version: 1.0.0

snapshots:
  a@1.2.0(react@18.0.0):
    dependencies:
      '@s/b': 2.0.1
  '@s/b@2.0.1': {}
  tool@2.0.0:
    dependencies:
      helper: 1.0.0
  helper@1.0.0: {}
`,
    packages: [
      'a@1.2.0:15 direct',
      '@s/b@2.0.1:19',
      'tool@2.0.0:21 direct development',
      'helper@1.0.0:23 development',
      'forked@1.0.0:25 local',
    ],
    needs: ['a@1.2.0 > @s/b@2.0.1', 'tool@2.0.0 > helper@1.0.0'],
    asked: ['a: ^1.0.0', 'tool: ^2.0.0'],
  },
  {
    what: 'bun.lock with its commas and a nested version',
    path: 'bun.lock',
    text: `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "x", "dependencies": { "a": "^1.0.0", }, "devDependencies": { "tool": "2", }, },
  },
  // made by bun
  "packages": {
    "a": ["a@1.2.0", "", { "dependencies": { "b": "^2" } }, "${SHA512}"],
    "b": ["b@1.0.0", "", {}, "${SHA512}"],
    "a/b": ["b@2.0.0", "", {}, "${SHA512}"],
    "tool": ["tool@2.0.0", "", { "dependencies": { "b": "1" } }, "${SHA512}"],
    "part": ["part@workspace:packages/part"],
  }
}`,
    packages: [
      'a@1.2.0:8 direct',
      'b@1.0.0:9 development',
      'b@2.0.0:10',
      'tool@2.0.0:11 direct development',
      'part@workspace:packages/part:12 local',
    ],
    needs: ['a@1.2.0 > b@2.0.0', 'tool@2.0.0 > b@1.0.0'],
    asked: ['a: ^1.0.0', 'b: 1', 'b: ^2', 'tool: 2'],
  },
  {
    what: 'requirements with hashes, continued lines, markers and what is not pinned',
    path: 'requirements.txt',
    text: `# comment
-r base.txt
--index-url https://pypi.org/simple
Django[argon2]==4.2.1 ; python_version >= "3.8" \\
    --hash=sha256:${'ab'.repeat(32)} \\
    --hash=sha256:${'cd'.repeat(32)}
zope.interface===6.0  # why
requests>=2.0
pinned==1.*
both==1.0,!=1.1
git+https://example.com/x.git
`,
    packages: ['django@4.2.1:4', 'zope-interface@6.0:7'],
    notes: ['4 requirements without one pinned version, not compared with advisories'],
  },
  {
    what: 'requirements of development by their name',
    path: 'requirements/dev.txt',
    text: 'pytest==7.0.0\n',
    packages: ['pytest@7.0.0:1 development'],
  },
  {
    what: 'poetry 2, with the project beside it',
    path: 'poetry.lock',
    text: `[[package]]
name = "Django"
version = "4.2.1"
groups = ["main"]
files = [ {file = "Django-4.2.1.tar.gz", hash = "sha256:${'ab'.repeat(32)}"} ]

[package.dependencies]
sqlparse = ">=0.3.1"

[[package]]
name = "sqlparse"
version = "0.4.0"
groups = ["main"]

[[package]]
name = "pytest"
version = "7.0.0"
groups = ["dev"]

[[package]]
name = "own"
version = "1.0.0"
groups = ["main"]
[package.source]
type = "git"
url = "https://example.com/own.git"
`,
    beside: {
      'pyproject.toml':
        '[project]\ndependencies = ["django (>=4.2,<5)"]\n[tool.poetry.group.dev.dependencies]\npytest = "^7.0"\n',
    },
    packages: [
      'django@4.2.1:1 direct',
      'sqlparse@0.4.0:10',
      'pytest@7.0.0:15 direct development',
      'own@1.0.0:20 local',
    ],
    needs: ['django@4.2.1 > sqlparse@0.4.0'],
    asked: ['django: >=4.2,<5', 'sqlparse: >=0.3.1', 'pytest: ^7.0'],
  },
  {
    what: 'uv, where the project is a package',
    path: 'uv.lock',
    text: `version = 1

[[package]]
name = "shop"
version = "0.1.0"
source = { virtual = "." }
dependencies = [ { name = "django" } ]
[package.dev-dependencies]
dev = [ { name = "pytest" } ]
[package.metadata]
requires-dist = [{ name = "django", specifier = ">=4.2,<5" }]

[[package]]
name = "django"
version = "4.2.1"
source = { registry = "https://pypi.org/simple" }
dependencies = [ { name = "sqlparse" } ]
sdist = { url = "https://x/y.tar.gz", hash = "sha256:${'ab'.repeat(32)}" }

[[package]]
name = "sqlparse"
version = "0.4.0"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "pytest"
version = "7.0.0"
source = { registry = "https://pypi.org/simple" }
`,
    packages: [
      'shop@0.1.0:3 local',
      'django@4.2.1:13 direct',
      'sqlparse@0.4.0:20',
      'pytest@7.0.0:25 direct development',
    ],
    needs: ['shop@0.1.0 > django@4.2.1', 'django@4.2.1 > sqlparse@0.4.0'],
    asked: ['django: >=4.2,<5'],
  },
  {
    what: 'Pipfile.lock',
    path: 'Pipfile.lock',
    text: `{ "default": {
  "django": { "hashes": ["sha256:${'ab'.repeat(32)}"], "version": "==4.2.1" },
  "own": { "git": "https://example.com/own.git", "ref": "c0ffee" } },
 "develop": { "pytest": { "version": "==7.0.0" } } }`,
    beside: { Pipfile: '[packages]\ndjango = "~=4.2"\n[dev-packages]\npytest = "*"\n' },
    packages: ['django@4.2.1:2 direct', 'pytest@7.0.0:4 direct development'],
    asked: ['django: ~=4.2', 'pytest: *'],
  },
  {
    what: 'Cargo',
    path: 'Cargo.lock',
    text: `version = 3

[[package]]
name = "app"
version = "0.1.0"
dependencies = [ "time 0.1.43", "tempfile" ]

[[package]]
name = "tempfile"
version = "3.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "time"
version = "0.1.43"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "${'ab'.repeat(32)}"
dependencies = [ "libc" ]

[[package]]
name = "time"
version = "0.3.0"
source = "git+https://github.com/time-rs/time#c0ffee"

[[package]]
name = "libc"
version = "0.2.0"
source = "sparse+https://index.crates.io/"
`,
    beside: {
      'Cargo.toml': '[dependencies]\ntime = { version = "0.1.40" }\n[dev-dependencies]\ntempfile = "3"\n',
    },
    packages: [
      'app@0.1.0:3 local',
      'tempfile@3.0.0:8 direct development',
      'time@0.1.43:13 direct',
      'time@0.3.0:20 local',
      'libc@0.2.0:25',
    ],
    needs: ['app@0.1.0 > time@0.1.43', 'app@0.1.0 > tempfile@3.0.0', 'time@0.1.43 > libc@0.2.0'],
    asked: ['tempfile: 3', 'time: 0.1.40'],
  },
  {
    what: 'go.mod with what is replaced',
    path: 'go.mod',
    text: `module example.com/app

go 1.21

require github.com/one/alone v1.0.0
require (
	github.com/a/b/v2 v2.3.0
	golang.org/x/net v0.7.0 // indirect
	github.com/old v1.0.0+incompatible // indirect
	example.com/here v0.0.0
)

replace (
	github.com/old => github.com/new v1.5.0
	example.com/here => ../here
)
`,
    packages: [
      'github.com/one/alone@1.0.0:5 direct',
      'github.com/a/b/v2@2.3.0:7 direct',
      'golang.org/x/net@0.7.0:8',
      'github.com/new@1.5.0:9',
      'example.com/here@0.0.0:10 direct local',
    ],
  },
  {
    what: 'go.sum of an older Go, the newest of each',
    path: 'go.sum',
    text: `github.com/a/b v1.0.0 h1:x=
github.com/a/b v1.0.0/go.mod h1:x=
golang.org/x/net v0.1.0 h1:x=
golang.org/x/net v0.7.0 h1:x=
golang.org/x/net v0.8.0/go.mod h1:x=
`,
    beside: { 'go.mod': 'module x\ngo 1.16\nrequire github.com/a/b v1.0.0\n' },
    packages: ['golang.org/x/net@0.7.0:4'],
  },
  {
    what: 'go.sum beside a go.mod that lists all',
    path: 'go.sum',
    text: 'golang.org/x/net v0.1.0 h1:x=\n',
    beside: { 'go.mod': 'module x\ngo 1.17\n' },
    packages: [],
  },
  {
    what: 'Gemfile.lock with platforms and checksums',
    path: 'Gemfile.lock',
    text: `GIT
  remote: https://example.com/own.git
  specs:
    own (1.0.0)

GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.13.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.6.0)
    rails (7.0.0)
      nokogiri (>= 1.8.5)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  own!
  rails (~> 7.0)

CHECKSUMS
  racc (1.6.0) sha256=${'ab'.repeat(32)}
`,
    packages: ['own@1.0.0:4 direct local', 'nokogiri@1.13.0:9', 'racc@1.6.0:11', 'rails@7.0.0:12 direct'],
    needs: ['nokogiri@1.13.0 > racc@1.6.0', 'rails@7.0.0 > nokogiri@1.13.0'],
    asked: ['nokogiri: >= 1.8.5', 'racc: ~> 1.4', 'rails: ~> 7.0'],
  },
  {
    what: 'composer',
    path: 'composer.lock',
    text: `{ "packages": [
  {
    "name": "Symfony/Http-Kernel",
    "version": "v5.4.0",
    "require": { "php": ">=8", "psr/log": "^1|^2" },
    "license": ["MIT"]
  },
  { "name": "psr/log", "version": "2.0.0", "dist": { "shasum": "${'ab'.repeat(20)}" } },
  { "name": "own/branch", "version": "dev-main" } ],
 "packages-dev": [ { "name": "phpunit/phpunit", "version": "9.5.0" } ] }`,
    beside: {
      'composer.json': '{"require":{"symfony/http-kernel":"^5.4"},"require-dev":{"phpunit/phpunit":"^9"}}',
    },
    packages: [
      'symfony/http-kernel@5.4.0:3 direct',
      'psr/log@2.0.0:8',
      'own/branch@dev-main:9 local',
      'phpunit/phpunit@9.5.0:10 direct development',
    ],
    needs: ['symfony/http-kernel@5.4.0 > psr/log@2.0.0'],
    asked: ['symfony/http-kernel: ^5.4', 'psr/log: ^1|^2', 'phpunit/phpunit: ^9'],
  },
  {
    what: 'pom with properties, management and versions of other POMs',
    path: 'pom.xml',
    text: `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>7</version></parent>
  <artifactId>shop</artifactId>
  <properties><log4j.version>2.14.1</log4j.version><self>\${self}</self></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.12</version><scope>test</scope></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId><version>\${log4j.version}</version>
    </dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>part</artifactId><version>\${project.version}</version></dependency>
    <dependency><groupId>a</groupId><artifactId>unknown</artifactId></dependency>
    <dependency><groupId>a</groupId><artifactId>loop</artifactId><version>\${self}</version></dependency>
  </dependencies>
</project>`,
    packages: [
      'org.apache.logging.log4j:log4j-core@2.14.1:10 direct',
      'junit:junit@4.12:13 direct development',
      'com.acme:part@7:14 direct',
    ],
    notes: ['2 dependencies whose version is a range, or is in a parent or another POM'],
  },
  {
    what: 'gradle',
    path: 'gradle.lockfile',
    text: `# This is a Gradle generated file
com.google.guava:guava:30.0-jre=compileClasspath,runtimeClasspath
junit:junit:4.12=testCompileClasspath,testRuntimeClasspath
broken line
empty=annotationProcessor
`,
    packages: ['com.google.guava:guava@30.0-jre:2', 'junit:junit@4.12:3 development'],
    notes: ['1 lines that are not an entry of a lockfile'],
  },
  {
    what: 'what builds a gradle project',
    path: 'app/buildscript-gradle.lockfile',
    text: 'com.android.tools:builder:7.0.0=classpath\n',
    packages: ['com.android.tools:builder@7.0.0:1 development'],
  },
  {
    what: 'packages.lock.json of NuGet',
    path: 'packages.lock.json',
    text: `{ "version": 1, "dependencies": { "net8.0": {
  "Newtonsoft.Json": { "type": "Direct", "requested": "[12.0.1, )", "resolved": "12.0.1", "contentHash": "${Buffer.alloc(64, 2).toString('base64')}" },
  "System.Text.Json": { "type": "Transitive", "resolved": "6.0.0", "dependencies": { "newtonsoft.json": "12.0.0" } },
  "part": { "type": "Project" } } } }`,
    packages: ['Newtonsoft.Json@12.0.1:2 direct', 'System.Text.Json@6.0.0:3', 'part@0:4 local'],
    needs: ['System.Text.Json@6.0.0 > Newtonsoft.Json@12.0.1'],
    asked: ['Newtonsoft.Json: [12.0.1, ) | 12.0.0'],
  },
  {
    what: 'packages.config',
    path: 'src/packages.config',
    text: `<?xml version="1.0" encoding="utf-8"?>
<packages>
  <package id="jQuery" version="3.4.0" targetFramework="net48" />
  <package id="StyleCop" version="1.0.0" developmentDependency="true" />
</packages>`,
    packages: ['jQuery@3.4.0:3', 'StyleCop@1.0.0:4 development'],
  },
  {
    what: 'a project file of .NET',
    path: 'Shop.csproj',
    text: `<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="12.0.1" />
    <PackageReference Include="Serilog"><Version>[2.0,3.0)</Version></PackageReference>
    <PackageReference Include="Analyzer" Version="1.0.0" PrivateAssets="all" />
    <PackageReference Include="Central" />
    <PackageReference Include="Odd" Version="$(OddVersion)" />
  </ItemGroup>
</Project>`,
    packages: [
      'Newtonsoft.Json@12.0.1:3 direct',
      'Serilog@2.0:4 direct',
      'Analyzer@1.0.0:5 direct development',
    ],
    asked: ['Newtonsoft.Json: 12.0.1', 'Serilog: [2.0,3.0)', 'Analyzer: 1.0.0'],
    notes: ['1 package references whose version is not a plain one'],
  },
  {
    what: 'pubspec.lock',
    path: 'app/pubspec.lock',
    text: `# Generated by pub
packages:
  http:
    dependency: "direct main"
    description:
      name: http
      url: "https://pub.dev"
    source: hosted
    version: "0.13.3"
  lints:
    dependency: "direct dev"
    source: hosted
    version: "2.0.0"
  own:
    dependency: "direct main"
    source: path
    version: "0.0.1"
  path:
    dependency: transitive
    source: hosted
    version: "1.8.0"
sdks:
  dart: ">=2.18.0 <3.0.0"
`,
    packages: [
      'http@0.13.3:3 direct',
      'lints@2.0.0:10 direct development',
      'own@0.0.1:14 direct local',
      'path@1.8.0:18',
    ],
  },
  {
    what: 'mix.lock',
    path: 'mix.lock',
    text: `%{
  "decimal": {:hex, :decimal, "2.0.0", "a78", [:mix], [], "hexpm", "34e"},
  "jason": {:hex, :jason, "1.4.0", "e85", [:mix], [{:decimal, "~> 1.0 or ~> 2.0", [hex: :decimal, repo: "hexpm", optional: true]}], "hexpm", "79a"},
  "renamed": {:hex, :real_name, "0.1.0", "0", [:mix], [{:jason, "~> 1.4", [hex: :jason, repo: "hexpm", optional: false]}], "hexpm", "0"},
  "own": {:git, "https://git.example/own.git", "c0ffee", []},
}
`,
    packages: ['decimal@2.0.0:2', 'jason@1.4.0:3', 'real_name@0.1.0:4', 'own@0:5 local'],
    needs: ['jason@1.4.0 > decimal@2.0.0', 'real_name@0.1.0 > jason@1.4.0'],
    asked: ['decimal: ~> 1.0 or ~> 2.0', 'jason: ~> 1.4'],
  },
  {
    what: 'Package.resolved 2',
    path: 'Package.resolved',
    text: `{ "pins": [
  { "identity": "swift-nio", "kind": "remoteSourceControl", "location": "https://github.com/Apple/swift-nio.git", "state": { "revision": "c0ffee", "version": "2.29.0" } },
  { "identity": "edge", "location": "https://github.com/x/edge", "state": { "branch": "main", "revision": "c0ffee" } } ],
  "version": 2 }`,
    packages: ['github.com/apple/swift-nio@2.29.0:2', 'https://github.com/x/edge@0:3 local'],
  },
  {
    what: 'Package.resolved 1',
    path: 'ios/Package.resolved',
    text: `{ "object": { "pins": [
  { "package": "Vapor", "repositoryURL": "https://github.com/vapor/vapor", "state": { "branch": null, "version": "4.40.0" } } ] }, "version": 1 }`,
    packages: ['github.com/vapor/vapor@4.40.0:2'],
  },
  {
    what: 'a workflow of GitHub: releases by tag or by comment, neither moving tags nor local ones',
    path: '.github/workflows/ci.yml',
    text: `jobs:
  build:
    steps:
      - uses: actions/checkout@v4
      - uses: tj-actions/changed-files@v44.5.1
      - name: x
        uses: "Acme/Tool/part@1f0c6bbd0c8ee0a2a3d6f7ed4cd4f5a0f3b2c1d0" # v1.2.3
      - uses: acme/other@1f0c6bbd0c8ee0a2a3d6f7ed4cd4f5a0f3b2c1d0
      - uses: ./.github/actions/own
      - uses: docker://alpine:3.8
`,
    packages: ['tj-actions/changed-files@44.5.1:5 direct', 'acme/tool@1.2.3:7 direct'],
  },
  {
    what: 'pdm.lock',
    path: 'pdm.lock',
    text: `[[package]]
name = "Requests"
version = "2.19.0"
groups = ["default"]
dependencies = ["idna<2.8,>=2.5"]
files = [{ file = "requests.whl", hash = "sha256:${'a'.repeat(64)}" }]

[[package]]
name = "idna"
version = "2.7"
groups = ["dev"]
`,
    beside: { 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["requests>=2"]\n' },
    packages: ['requests@2.19.0:1 direct', 'idna@2.7:8 development'],
    needs: ['requests@2.19.0 > idna@2.7'],
    asked: ['requests: >=2', 'idna: <2.8,>=2.5'],
  },
  {
    what: 'pylock.toml',
    path: 'pylock.toml',
    text: `lock-version = "1.0"
[[packages]]
name = "attrs"
version = "25.1.0"
[[packages.wheels]]
hashes = {sha256 = "${'b'.repeat(64)}"}
[[packages]]
name = "cattrs"
version = "24.1.2"
dependencies = [{name = "attrs"}]
[[packages]]
name = "own"
directory = {path = "."}
`,
    packages: ['attrs@25.1.0:2', 'cattrs@24.1.2:7', 'own@0:11 local'],
    needs: ['cattrs@24.1.2 > attrs@25.1.0'],
  },
  {
    what: 'deno.lock 5',
    path: 'deno.lock',
    text: `{ "version": "5", "specifiers": { "jsr:@std/assert@1": "1.0.0", "npm:chalk@5": "5.3.0", "npm:@x/y@^1": "1.2.0_react@18.0.0" },
  "npm": {
    "chalk@5.3.0": { "integrity": "${SHA512}" },
    "@x/y@1.2.0_react@18.0.0": { "integrity": "${SHA512}", "dependencies": ["chalk", "react"] },
    "react@18.0.0": { "integrity": "${SHA512}" } } }`,
    packages: ['chalk@5.3.0:3 direct', '@x/y@1.2.0:4 direct', 'react@18.0.0:5'],
    needs: ['@x/y@1.2.0 > chalk@5.3.0', '@x/y@1.2.0 > react@18.0.0'],
    asked: ['chalk: 5', '@x/y: ^1'],
  },
  {
    what: 'the manifest of an installed Node.js package',
    path: 'app/node_modules/@acme/shop/package.json',
    text: '{ "name": "@acme/shop", "version": "1.2.3", "dependencies": { "b": "^1" } }',
    packages: ['@acme/shop@1.2.3:1'],
  },
  {
    what: 'the metadata of an installed Python package',
    path: 'usr/local/lib/python3.12/site-packages/Shop_Cart-1.2.dist-info/METADATA',
    text: 'Metadata-Version: 2.1\nName: Shop_Cart\nVersion: 1.2\n\nName: other\n',
    packages: ['shop-cart@1.2:1'],
  },
  {
    what: 'the file of an installed gem',
    path: 'usr/local/bundle/specifications/nokogiri-1.15.4-x86_64-linux.gemspec',
    text: 'Gem::Specification.new do |s|',
    packages: ['nokogiri@1.15.4:1'],
  },
  {
    what: 'renv.lock: CRAN, Bioconductor, and what is of no registry',
    path: 'renv.lock',
    text: `{ "R": { "Version": "4.3.1" }, "Packages": {
  "jsonlite": { "Package": "jsonlite", "Version": "1.8.4", "Source": "Repository", "Repository": "CRAN", "Requirements": ["methods"] },
  "httr": { "Package": "httr", "Version": "1.4.6", "Source": "Repository", "Requirements": ["R", "jsonlite"] },
  "limma": { "Package": "limma", "Version": "3.56.2", "Source": "Bioconductor" },
  "own": { "Package": "own", "Version": "0.1", "Source": "GitHub", "RemoteUsername": "x" } } }`,
    packages: ['jsonlite@1.8.4:2', 'httr@1.4.6:3', 'limma@3.56.2:4 of Bioconductor', 'own@0.1:5 local'],
    needs: ['httr@1.4.6 > jsonlite@1.8.4'],
  },
  {
    what: 'cabal.project.freeze',
    path: 'cabal.project.freeze',
    text: `active-repositories: hackage.haskell.org:merge
constraints: any.aeson ==2.1.2.1,
             aeson -cffi +ordered-keymap,
             any.base ==4.17.1.0, any.xml-conduit ==1.9.1.3,
             text ==2.0.2
index-state: hackage.haskell.org 2023-06-01T00:00:00Z
`,
    packages: ['aeson@2.1.2.1:2', 'base@4.17.1.0:4', 'xml-conduit@1.9.1.3:4', 'text@2.0.2:5'],
  },
  {
    what: 'stack.yaml.lock, whose snapshot is elsewhere',
    path: 'stack.yaml.lock',
    text: `packages:
- completed:
    hackage: cassava-megaparsec-2.0.4@sha256:e5c6,2926
    pantry-tree:
      sha256: c0ffee
  original:
    hackage: cassava-megaparsec-2.0.4
- completed:
    name: own
    git: https://github.com/x/own.git
    version: '0.2'
  original:
    hackage: "hpack-0.35.2"
snapshots:
- completed:
    url: https://raw.githubusercontent.com/commercialhaskell/stackage-snapshots/master/lts/20/26.yaml
`,
    packages: ['cassava-megaparsec@2.0.4:3 direct', 'hpack@0.35.2:13 direct'],
    notes: ['packages of its snapshot are not listed in it'],
  },
  {
    what: 'conan.lock of Conan 2',
    path: 'conan.lock',
    text: `{ "version": "0.5",
  "requires": [
    "zlib/1.2.11#ffa77daf83a57094149707928bdce823%1667396813.733",
    "openssl/1.1.1t#c0ffee%1",
    "own/0.1@acme/stable#c0ffee" ],
  "build_requires": [
    "cmake/3.25.3#c0ffee%1" ],
  "python_requires": [] }`,
    packages: ['zlib@1.2.11:3', 'openssl@1.1.1t:4', 'own@0.1:5 local', 'cmake@3.25.3:7 development'],
  },
  {
    what: 'conan.lock of Conan 1',
    path: 'c/conan.lock',
    text: `{ "graph_lock": { "nodes": {
  "0": { "options": "x", "requires": ["1"] },
  "1": { "ref": "libcurl/7.80.0#c0ffee", "requires": ["2"] },
  "2": { "ref": "zlib/1.2.11@_/_" } } }, "version": "0.4" }`,
    packages: ['libcurl@7.80.0:3 direct', 'zlib@1.2.11:4'],
    needs: ['libcurl@7.80.0 > zlib@1.2.11'],
  },
  {
    what: 'conanfile.txt',
    path: 'conanfile.txt',
    text: `[requires]
zlib/1.2.11 # old
boost/[>1.70 <2]
[tool_requires]
cmake/3.25.3
[generators]
CMakeDeps
`,
    packages: ['zlib@1.2.11:2 direct', 'cmake@3.25.3:5 direct development'],
    notes: ['1 packages that are asked for by ranges of versions'],
  },
  {
    what: 'Manifest.toml 2 of Julia, with its project',
    path: 'Manifest.toml',
    text: `julia_version = "1.9.0"
manifest_format = "2.0"

[[deps.HTTP]]
deps = ["Dates", "MbedTLS"]
git-tree-sha1 = "c0ffee"
uuid = "cd3eb016-35fb-5094-929b-558a96fad6f3"
version = "1.9.5"

[[deps.Dates]]
uuid = "ade2ca70-3891-5945-98fb-dc099432e06a"

[[deps.MbedTLS]]
git-tree-sha1 = "c0ffee"
version = "1.1.7"

[[deps.Own]]
path = "../Own"
version = "0.1.0"
`,
    beside: { 'Project.toml': '[deps]\nHTTP = "cd3eb016"\n[compat]\nHTTP = "1"\n' },
    packages: ['HTTP@1.9.5:4 direct', 'MbedTLS@1.1.7:13', 'Own@0.1.0:17 local'],
    needs: ['HTTP@1.9.5 > MbedTLS@1.1.7'],
    asked: ['HTTP: 1'],
  },
  {
    what: 'Manifest.toml 1 of Julia',
    path: 'docs/JuliaManifest.toml',
    text: `[[OpenSSL_jll]]
deps = ["Artifacts"]
version = "1.1.20+0"

[[A]]
version = "1.0.0"
    [A.deps]
    OpenSSL_jll = "458c3c95-2e84-50aa-8efc-19380b2a3a95"
`,
    packages: ['OpenSSL_jll@1.1.20+0:1', 'A@1.0.0:5'],
    needs: ['A@1.0.0 > OpenSSL_jll@1.1.20+0'],
  },
  {
    what: 'opam.locked',
    path: 'site.opam.locked',
    text: `opam-version: "2.0"
depends: [
  "base-unix" {= "base"}
  "cohttp" {= "5.1.0"}
  "alcotest" {= "1.7.0" & with-test}
]
conflicts: [
  "old" {= "1.0"}
]
`,
    packages: ['base-unix@base:3', 'cohttp@5.1.0:4', 'alcotest@1.7.0:5 development'],
  },
  {
    what: 'packages installed in an image of Debian, by their source packages',
    path: 'image/var/lib/dpkg/status',
    text: `Package: libssl3
Status: install ok installed
Source: openssl
Version: 3.0.9-1
Description: Secure Sockets Layer toolkit
 Package: not this

Package: openssl
Status: install ok installed
Version: 3.0.9-1

Package: zlib1g
Status: install ok installed
Source: zlib (1:1.2.13.dfsg-1)
Version: 1:1.2.13.dfsg-1+b1

Package: gone
Status: deinstall ok config-files
Version: 1.0
`,
    beside: { '../../../usr/lib/os-release': 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="12"\n' },
    packages: ['openssl@3.0.9-1:1 of Debian:12', 'zlib@1:1.2.13.dfsg-1:12 of Debian:12'],
  },
  {
    what: 'packages installed in an image of which no release is known',
    path: 'var/lib/dpkg/status',
    text: 'Package: bash\nStatus: install ok installed\nVersion: 5.2-1\n',
    beside: { '../../../etc/os-release': 'ID=debian\nVERSION_CODENAME=sid\n' },
    packages: ['bash@5.2-1:1 local'],
    notes: ['etc/os-release names no release of Debian'],
  },
  {
    what: 'packages of an image without a package manager',
    path: 'var/lib/dpkg/status.d/tzdata',
    text: 'Package: tzdata\nVersion: 2024a-0+deb12u1\n',
    beside: { '../../../../etc/os-release': "ID='ubuntu'\nVERSION_ID='22.04'\n" },
    packages: ['tzdata@2024a-0+deb12u1:1 of Ubuntu:22.04'],
  },
  {
    what: 'packages installed in an image of Alpine',
    path: 'lib/apk/db/installed',
    text: `C:Q1c0ffee=
P:libcrypto3
V:3.1.4-r1
o:openssl
F:lib
R:libcrypto.so.3

P:libssl3
V:3.1.4-r1
o:openssl

P:busybox
V:1.36.1-r2
`,
    beside: { '../../../etc/os-release': 'ID=alpine\nVERSION_ID=3.18.4\n' },
    packages: ['openssl@3.1.4-r1:1 of Alpine:v3.18', 'busybox@1.36.1-r2:12 of Alpine:v3.18'],
  },
  {
    what: 'packages installed in an image of a distribution that OSV does not have',
    path: 'x/lib/apk/db/installed',
    text: 'P:a\nV:1-r0\n',
    beside: { '../../../etc/os-release': 'ID=postmarketos\n' },
    packages: ['a@1-r0:1 local'],
    notes: ['no advisories are known of its distribution, "postmarketos"'],
  },
  {
    what: 'a bill of materials of CycloneDX, with parts of a component, a system and a library without package URL',
    path: 'out/shop.cdx.json',
    text: `{"bomFormat":"CycloneDX","specVersion":"1.5","metadata":{"component":{"bom-ref":"shop"}},"components":[
{"bom-ref":"a","purl":"pkg:npm/%40acme/a@1.2.0?x=y","licenses":[{"license":{"id":"MIT"}}],"components":[
{"bom-ref":"b","purl":"pkg:golang/github.com/acme/b@v2.0.0"}]},
{"bom-ref":"c","purl":"pkg:maven/org.acme/c@3","scope":"excluded"},
{"bom-ref":"d","purl":"pkg:pypi/d","version":"4"},
{"type":"operating-system","name":"debian"},
{"purl":"pkg:deb/debian/e@5-1?distro=debian-12"}],
"dependencies":[{"ref":"shop","dependsOn":["a"]},{"ref":"a","dependsOn":["b","none"]}]}`,
    packages: [
      '@acme/a@1.2.0:2 of npm direct',
      'github.com/acme/b@2.0.0:3 of Go',
      'org.acme:c@3:4 of Maven development',
      'd@4:5 of PyPI',
      'e@5-1:7 of Debian:12',
    ],
    needs: ['@acme/a@1.2.0 > github.com/acme/b@2.0.0'],
    notes: ['1 component without a package URL of a known registry'],
  },
  {
    what: 'a bill of materials of SPDX, with relations in both directions',
    path: 'spdx.json',
    text: `{"spdxVersion":"SPDX-2.3","SPDXID":"SPDXRef-DOCUMENT","packages":[
{"SPDXID":"SPDXRef-shop","name":"shop"},
{"SPDXID":"SPDXRef-a","name":"a","versionInfo":"1","licenseDeclared":"NOASSERTION","licenseConcluded":"MIT","externalRefs":[{"referenceType":"purl","referenceLocator":"pkg:gem/a@1"}]},
{"SPDXID":"SPDXRef-b","name":"b","versionInfo":"2","externalRefs":[{"referenceType":"cpe23Type","referenceLocator":"cpe:2.3:a:b"},{"referenceType":"purl","referenceLocator":"pkg:gem/b@2"}]},
{"SPDXID":"SPDXRef-c","name":"c","versionInfo":"3","externalRefs":[{"referenceType":"purl","referenceLocator":"pkg:cargo/c@3"}]},
{"SPDXID":"SPDXRef-d","name":"d"}],
"relationships":[{"spdxElementId":"SPDXRef-DOCUMENT","relationshipType":"DESCRIBES","relatedSpdxElement":"SPDXRef-shop"},
{"spdxElementId":"SPDXRef-shop","relationshipType":"DEPENDS_ON","relatedSpdxElement":"SPDXRef-a"},
{"spdxElementId":"SPDXRef-b","relationshipType":"DEPENDENCY_OF","relatedSpdxElement":"SPDXRef-a"},
{"spdxElementId":"SPDXRef-c","relationshipType":"DEV_DEPENDENCY_OF","relatedSpdxElement":"SPDXRef-shop"}]}`,
    packages: ['a@1:3 of RubyGems direct', 'b@2:4 of RubyGems', 'c@3:5 of crates.io direct development'],
    needs: ['a@1 > b@2'],
    notes: ['1 component without a package URL of a known registry'],
  },
];
