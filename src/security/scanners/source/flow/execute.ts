import { ALL_HARMS } from '../harm.ts';
import type { Case, Fn, Stmt } from '../ir.ts';
import { assignTo } from './assign.ts';
import { elementOf, evaluate, named } from './evaluate.ts';
import { foldBinary, truth } from './fold.ts';
import { refine } from './guards.ts';
import { runAlone } from './invoke.ts';
import type { Run } from './run.ts';
import { changesSince, merge, type Scope, scopeIn } from './scope.ts';
import { join, rootsOf, UNKNOWN, type Value } from './value.ts';

type Of<Op extends Stmt['op']> = Extract<Stmt, { op: Op }>;

/** Runs statements in order, as far as they are reached. */
export function execute(run: Run, body: readonly Stmt[], scope: Scope): void {
  // Functions are known before the lines above them run.
  for (const stmt of body) {
    if (stmt.op === 'function')
      scope.values.set(stmt.fn.name, { fn: { fn: stmt.fn, scope }, path: stmt.fn.name });
  }
  for (const stmt of body) {
    if (scope.ended || run.left <= 0) return;
    step(run, stmt, scope);
  }
}

function step(run: Run, stmt: Stmt, scope: Scope): void {
  switch (stmt.op) {
    case 'expr':
      evaluate(run, stmt.value, scope);
      return;
    case 'if':
      branch(run, stmt, scope);
      return;
    case 'switch':
      choose(run, stmt, scope);
      return;
    case 'loop':
      loop(run, stmt, scope);
      return;
    case 'try':
      attempt(run, stmt, scope);
      return;
    case 'return': {
      const value = stmt.value ? evaluate(run, stmt.value, scope) : UNKNOWN;
      run.frames.at(-1)?.returns.push(value);
      scope.ended = true;
      return;
    }
    case 'throw':
      if (stmt.value) evaluate(run, stmt.value, scope);
      scope.ended = true;
      return;
    case 'leave':
      run.loops.at(-1)?.exits.push(snapshot(scope, run.loops.at(-1)?.base));
      scope.ended = true;
      return;
    case 'function':
      run.pending.push({ fn: stmt.fn, scope });
      return;
    case 'class':
      classBody(run, stmt, scope);
      return;
    case 'import':
      scope.values.set(stmt.name, named(run, stmt.path, UNKNOWN, stmt.line));
      run.imports += ` ${stmt.module.toLowerCase()}`;
      return;
    case 'block':
      execute(run, stmt.body, scope);
      return;
  }
}

function branch(run: Run, stmt: Of<'if'>, scope: Scope): void {
  const known = truth(evaluate(run, stmt.test, scope));
  if (known !== undefined) {
    execute(run, known ? stmt.yes : stmt.no, scope);
    return;
  }
  const [yes, no] = [scopeIn(scope), scopeIn(scope)];
  refine(run, stmt.test, true, yes);
  execute(run, stmt.yes, yes);
  refine(run, stmt.test, false, no);
  execute(run, stmt.no, no);
  merge(scope, [yes, no]);
}

function choose(run: Run, stmt: Of<'switch'>, scope: Scope): void {
  const subject = evaluate(run, stmt.subject, scope);
  const bodies = stmt.falls ? fallen(stmt.cases) : stmt.cases;
  if (subject.constant !== undefined) {
    const known = subject.constant;
    const tests = bodies.map((one) => one.tests.map((test) => evaluate(run, test, scope).constant));
    if (tests.flat().every((test) => test !== undefined)) {
      const at = tests.findIndex((list) =>
        list.some((test) => test !== undefined && foldBinary('==', test, known)),
      );
      const chosen = bodies[at >= 0 ? at : bodies.findIndex((one) => one.tests.length === 0)];
      if (chosen) inLoop(run, scope, (inner) => execute(run, chosen.body, inner));
      return;
    }
  }
  const branches: Scope[] = [];
  inLoop(run, scope, (inner) => {
    for (const one of bodies) {
      const own = scopeIn(inner);
      for (const test of one.tests) evaluate(run, test, own);
      if (one.tests.length > 0 && one.tests.every((test) => test.op === 'constant')) {
        for (const name of rootsOf(stmt.subject)) cleanName(own, name, subject);
      }
      execute(run, one.body, own);
      branches.push(own);
    }
    if (!bodies.some((one) => one.tests.length === 0)) branches.push(scopeIn(inner));
    merge(inner, branches);
  });
}

/** A variable that equals one of several constants can do nothing. */
function cleanName(scope: Scope, name: string, value: Value): void {
  if (value.taint) scope.values.set(name, { ...value, taint: { ...value.taint, clean: ALL_HARMS } });
}

/** Cases of C's kind: an empty one shares the next one's body. */
function fallen(cases: readonly Case[]): Case[] {
  const out: Case[] = [];
  let tests: Case['tests'][number][] = [];
  let open = false;
  for (const one of cases) {
    const isDefault = one.tests.length === 0;
    tests.push(...one.tests);
    if (one.body.length === 0 && !isDefault) {
      open = true;
      continue;
    }
    out.push({ tests: isDefault ? [] : tests, body: one.body });
    if (isDefault && open && tests.length > 0) out.push({ tests, body: one.body });
    tests = [];
    open = false;
  }
  return out;
}

/** Runs a body that `break` leaves, and brings back what holds after it. */
function inLoop(run: Run, scope: Scope, body: (inner: Scope) => void): void {
  const inner = scopeIn(scope);
  const record = { base: scope, exits: [] as Scope[] };
  run.loops.push(record);
  body(inner);
  run.loops.pop();
  merge(scope, [inner, ...record.exits]);
}

/** All that changed since `base`, as a branch of its own. */
function snapshot(scope: Scope, base: Scope | undefined): Scope {
  return { values: base ? changesSince(scope, base) : new Map(), parent: base, ended: false };
}

function loop(run: Run, stmt: Of<'loop'>, scope: Scope): void {
  const over = stmt.over ? evaluate(run, stmt.over, scope) : undefined;
  const known = stmt.test ? truth(evaluate(run, stmt.test, scope)) : undefined;
  if (known === false) return;
  // The second turn sees what the first one left; inside of two loops once is enough.
  const turns = run.loops.length >= 2 ? 1 : 2;
  for (let turn = 0; turn < turns; turn++) {
    const record = { base: scope, exits: [] as Scope[] };
    const inner = scopeIn(scope);
    run.loops.push(record);
    if (stmt.target && over) {
      const value = elementOf(run, over, stmt.line);
      const written = { value: stmt.over ?? stmt.target, adds: false, line: stmt.line };
      if (stmt.target.op !== 'list' || over.items) assignTo(run, stmt.target, value, inner, written);
      else for (const item of stmt.target.items) assignTo(run, item, value, inner, written);
    }
    if (stmt.test) refine(run, stmt.test, true, inner);
    execute(run, stmt.body, inner);
    run.loops.pop();
    const ways = [inner, ...record.exits, scopeIn(scope)];
    merge(scope, ways);
    if (inner.values.size === 0 && record.exits.length === 0) return;
  }
}

function attempt(run: Run, stmt: Of<'try'>, scope: Scope): void {
  const body = scopeIn(scope);
  execute(run, stmt.body, body);
  const ways = [body];
  for (const handler of stmt.handlers) {
    // The body may have stopped anywhere: what it changed may have changed or not.
    const own = scopeIn(scope);
    for (const [name, value] of body.values) {
      const before = scope.values.get(name);
      own.values.set(name, before ? join(before, value) : value);
    }
    execute(run, handler, own);
    ways.push(own);
  }
  merge(scope, ways);
  const ended = scope.ended;
  scope.ended = false;
  execute(run, stmt.after, scope);
  scope.ended ||= ended;
}

function classBody(run: Run, stmt: Of<'class'>, scope: Scope): void {
  const inner = scopeIn(scope);
  const fields = new Map<string, Value>();
  const methods = stmt.body.filter((one) => one.op === 'function');
  for (const one of stmt.body) if (one.op !== 'function') step(run, one, inner);
  for (const [name, value] of inner.values) fields.set(name, value);
  const bare: Value = { path: stmt.bases[0] ?? stmt.name, fields };
  for (const { fn } of methods) fields.set(fn.name, { fn: { fn, scope: inner, receiver: bare } });
  scope.values.set(stmt.name, { path: stmt.name, fields });
  for (const { fn } of methods) {
    run.pending.push({
      fn: fn.marks.length > 0 || stmt.marks.length === 0 ? fn : withMarks(fn, stmt.marks),
      scope: inner,
      receiver: bare,
    });
  }
}

/** The same function, its body still unread. */
function withMarks(fn: Fn, marks: Fn['marks']): Fn {
  return Object.create(fn, { marks: { value: marks, enumerable: true } });
}

/** Looks at every function in which a fault may be by itself, those that it holds after it. */
export function runPending(run: Run): void {
  for (let at = 0; at < run.pending.length && run.left > 0; at++) {
    const next = run.pending[at];
    if (next && run.wants(next.fn)) runAlone(run, next);
  }
}
