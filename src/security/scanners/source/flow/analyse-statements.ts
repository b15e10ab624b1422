import type { Constant, Expr, Stmt, StmtOf, SwitchCase } from '../ir.ts';
import { assignTo } from './assign.ts';
import { checkClass } from './calls/call.ts';
import { analyseFunction, checkReturned } from './calls/evaluate-closure.ts';
import { isDevelopmentCondition, isOptionTest } from './calls/options.ts';
import { evaluate } from './evaluate.ts';
import { refineByAssertion, refineByCondition } from './guards.ts';
import type { AnalysisRun } from './run.ts';
import { evaluateTruth, foldBinary } from './values/fold.ts';
import { runClassBody } from './values/objects.ts';
import { elementOf, valueAtPath } from './values/paths.ts';
import { changesSince, createVariableScope, mergeBranches, variableOf } from './values/scope.ts';
import {
  type AbstractValue,
  type Closure,
  joinValues,
  UNKNOWN_VALUE,
  type VariableScope,
} from './values/value.ts';

export function analyseStatements(run: AnalysisRun, body: readonly Stmt[], scope: VariableScope): void {
  // Declares functions before other statements run, because a statement can call a function declared below it.
  for (const stmt of body) {
    if (stmt.op === 'function')
      scope.values.set(stmt.fn.name, { fn: { home: run, fn: stmt.fn, scope }, path: stmt.fn.name });
  }
  for (const stmt of body) {
    if (scope.ended || run.budget.left <= 0) return;
    step(run, stmt, scope);
  }
}

function step(run: AnalysisRun, stmt: Stmt, scope: VariableScope): void {
  switch (stmt.op) {
    case 'expr':
      evaluate(run, stmt.value, scope);
      if (stmt.value.op === 'call') refineByAssertion(run, stmt.value, scope);
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
      const value = stmt.value ? evaluate(run, stmt.value, scope) : UNKNOWN_VALUE;
      checkReturned(run, value, stmt.line);
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
      run.pending.push({ home: run, fn: stmt.fn, scope });
      return;
    case 'class':
      runClassBody(run, stmt, scope, (one, inner) => step(run, one, inner));
      checkClass(run, stmt, scope);
      return;
    case 'declare':
      scope.values.set(stmt.name, {
        ...valueAtPath(run, stmt.name, UNKNOWN_VALUE, stmt.line),
        type: stmt.type,
        fixed: stmt.number,
      });
      return;
    case 'import':
      scope.values.set(stmt.name, imported(run, stmt));
      run.imports += ` ${stmt.module.toLowerCase()}`;
      return;
    case 'block':
      analyseStatements(run, stmt.body, scope);
      return;
  }
}

function imported(run: AnalysisRun, { path, module, from, line }: StmtOf<'import'>): AbstractValue {
  const found = valueAtPath(run, path, UNKNOWN_VALUE, line);
  // An imported name, such as Flask's `request`, can be untrusted input. Its data flow starts at each use.
  const value = found.taint ? { path: found.path, incoming: true as const } : found;
  const name = path.startsWith(`${module}.`) ? path.slice(module.length + 1) : '';
  const link = run.linker?.imported(run, from?.module ?? module, from?.name ?? name);
  return link ? { ...value, link } : value;
}

function branch(run: AnalysisRun, stmt: StmtOf<'if'>, scope: VariableScope): void {
  const known = evaluateTruth(evaluate(run, stmt.test, scope));
  if (known !== undefined) {
    analyseStatements(run, known ? stmt.yes : stmt.no, scope);
    return;
  }
  const [yes, no] = [createVariableScope(scope), createVariableScope(scope)];
  const { options, development } = run;
  if (isOptionTest(stmt.test)) run.options = (options ?? 0) + 1;
  if (isDevelopmentCondition(stmt.test)) run.development = (development ?? 0) + 1;
  refineByCondition(run, stmt.test, true, yes);
  analyseStatements(run, stmt.yes, yes);
  refineByCondition(run, stmt.test, false, no);
  analyseStatements(run, stmt.no, no);
  Object.assign(run, { options, development });
  mergeBranches(scope, [yes, no]);
}

function choose(run: AnalysisRun, stmt: StmtOf<'switch'>, scope: VariableScope): void {
  const subject = evaluate(run, stmt.subject, scope);
  const cases = stmt.falls ? fallen(stmt.cases) : stmt.cases;
  if (subject.constant !== undefined) {
    const tests = cases.map((one) => one.tests.map((test) => evaluate(run, test, scope).constant));
    if (tests.flat().every((test) => test !== undefined)) {
      const { constant } = subject;
      const isMet = (test: Constant | undefined) => test !== undefined && foldBinary('==', test, constant);
      const at = tests.findIndex((list) => list.some(isMet));
      const chosen = cases[at >= 0 ? at : cases.findIndex((one) => one.tests.length === 0)];
      if (chosen) inLoop(run, scope, (inner) => analyseStatements(run, chosen.body, inner));
      return;
    }
  }
  inLoop(run, scope, (inner) => {
    const branches = cases.map((one) => runCase(run, one, stmt.subject, createVariableScope(inner)));
    if (!cases.some((one) => one.tests.length === 0)) branches.push(createVariableScope(inner));
    mergeBranches(inner, branches);
  });
}

function runCase(run: AnalysisRun, one: SwitchCase, expr: Expr, own: VariableScope): VariableScope {
  for (const test of one.tests) evaluate(run, test, own);
  if (one.tests.length > 0 && one.tests.every((test) => test.op === 'constant')) {
    const { line } = expr;
    const right: Expr = { op: 'list', items: one.tests, line };
    refineByCondition(run, { op: 'binary', operator: 'in', left: expr, right, line }, true, own);
  }
  analyseStatements(run, one.body, own);
  return own;
}

function fallen(cases: readonly SwitchCase[]): SwitchCase[] {
  const out: SwitchCase[] = [];
  let tests: SwitchCase['tests'][number][] = [];
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

function inLoop(run: AnalysisRun, scope: VariableScope, body: (inner: VariableScope) => void): void {
  mergeBranches(scope, leavable(run, scope, body));
}

function leavable(run: AnalysisRun, scope: VariableScope, body: (inner: VariableScope) => void) {
  const inner = createVariableScope(scope);
  const exits: VariableScope[] = [];
  run.loops.push({ base: scope, exits });
  body(inner);
  run.loops.pop();
  return [inner, ...exits];
}

function snapshot(scope: VariableScope, base: VariableScope | undefined): VariableScope {
  return { values: base ? changesSince(scope, base) : new Map(), parent: base, ended: false };
}

function loop(run: AnalysisRun, stmt: StmtOf<'loop'>, scope: VariableScope): void {
  const over = stmt.over ? evaluate(run, stmt.over, scope) : undefined;
  const known = () => (stmt.test ? evaluateTruth(evaluate(run, stmt.test, scope)) : undefined);
  if (!stmt.once && known() === false) return;
  // Assignments affect later iterations, so a body runs twice. Deeply nested bodies run once, to save time.
  const turns = run.loops.length >= 2 ? 1 : 2;
  for (let turn = 0; turn < turns; turn++) {
    const ends = leavable(run, scope, (inner) => {
      if (over) assignElement(run, stmt, over, inner);
      if (stmt.test && !(stmt.once && turn === 0)) refineByCondition(run, stmt.test, true, inner);
      if (turns === 1) forgetCounters(stmt.body, inner);
      analyseStatements(run, stmt.body, inner);
    });
    mergeBranches(scope, stmt.once && turn === 0 ? ends : [...ends, createVariableScope(scope)]);
    if ((ends.length === 1 && ends[0]?.values.size === 0) || (stmt.once && known() === false)) return;
  }
}

/** Makes a loop's counters unknown, because later iterations change them but are not analysed. */
function forgetCounters(body: readonly Stmt[], inner: VariableScope): void {
  for (const stmt of body) {
    if (stmt.op !== 'expr' || stmt.value.op !== 'assign' || stmt.value.target.op !== 'name') continue;
    const { name } = stmt.value.target;
    if (typeof variableOf(inner, name)?.constant === 'number') inner.values.set(name, { fixed: true });
  }
}

function assignElement(run: AnalysisRun, stmt: StmtOf<'loop'>, over: AbstractValue, inner: VariableScope) {
  const { target } = stmt;
  if (!target) return;
  const value = elementOf(run, over, stmt.line);
  const written = { value: stmt.over ?? target, adds: false, line: stmt.line };
  if (target.op !== 'list' || over.items) assignTo(run, target, value, inner, written);
  else for (const item of target.items) assignTo(run, item, value, inner, written);
}

function attempt(run: AnalysisRun, stmt: StmtOf<'try'>, scope: VariableScope): void {
  const body = createVariableScope(scope);
  analyseStatements(run, stmt.body, body);
  const ends = [body];
  for (const handler of stmt.handlers) {
    // An exception can end the `try` body at any statement, so each variable has its old or its new value here.
    const own = createVariableScope(scope);
    for (const [name, value] of body.values) {
      const before = scope.values.get(name);
      own.values.set(name, before ? joinValues(before, value) : value);
    }
    analyseStatements(run, handler, own);
    ends.push(own);
  }
  mergeBranches(scope, ends);
  const ended = scope.ended;
  scope.ended = false;
  analyseStatements(run, stmt.after, scope);
  scope.ended ||= ended;
}

export function analysePending(run: AnalysisRun): void {
  const later: Closure[] = [];
  let at = 0;
  while (run.budget.left > 0) {
    const open = run.pending[at];
    if (open) at++;
    if (open?.fn.isPrivate) {
      later.push(open);
      continue;
    }
    const next = open ?? later.shift();
    if (!next) return;
    const isCalled = next.fn.isPrivate && run.results.has(next.fn);
    if (!isCalled && run.isReached(next.fn)) analyseFunction(run, next);
  }
}
