import type { Clause, Condition } from '../search/clause.ts';
import { type Criterion, criterionOf, type Test } from '../search/criterion.ts';
import type { Scope } from '../search/scope.ts';
import type { TrackerBug } from '../world/state.ts';

/** The test of a clause; null if nothing in it has an effect. Throws as criterionOf does. */
export function chartTest(scope: Scope, clause: Clause): Test | null {
  if (clause.joiner === 'AND_G')
    return negated(groupTest(scope, clause.children.filter(isCondition)), clause.isNegated);
  const tests = clause.children.flatMap(
    (child) => (isCondition(child) ? conditionTest(scope, child) : chartTest(scope, child)) ?? [],
  );
  if (tests.length === 0) return null;
  const joined: Test =
    clause.joiner === 'OR' ? (bug) => tests.some((test) => test(bug)) : (bug) => tests.every((test) => test(bug));
  return negated(joined, clause.isNegated);
}

const isCondition = (child: Clause | Condition): child is Condition => child.kind === 'condition';
const negated = (test: Test, isNegated: boolean): Test => (isNegated ? (bug) => !test(bug) : test);

function conditionTest(scope: Scope, condition: Condition): Test | null {
  const criterion = criterionOf(scope, condition);
  return criterion === null ? null : negated(testOf(criterion), condition.isNegated);
}

const testOf = (criterion: Criterion): Test =>
  criterion.kind === 'bug' ? criterion.test : (bug) => criterion.rows(bug).length > 0;

/** All criteria at once; those on rows of one table must match a single row. Without criteria, every bug matches. */
function groupTest(scope: Scope, conditions: readonly Condition[]): Test {
  const tables = new Map<string, ((bug: TrackerBug) => readonly number[])[]>();
  const tests: Test[] = [];
  for (const condition of conditions) {
    const criterion = criterionOf(scope, condition);
    if (criterion === null) continue;
    if (criterion.kind === 'rows' && !condition.isNegated) {
      tables.set(criterion.table, [...(tables.get(criterion.table) ?? []), criterion.rows]);
    } else tests.push(negated(testOf(criterion), condition.isNegated));
  }
  for (const lists of tables.values()) {
    tests.push((bug) => {
      const [first = [], ...others] = lists.map((rows) => rows(bug));
      return first.some((row) => others.every((rows) => rows.includes(row)));
    });
  }
  return (bug) => tests.every((test) => test(bug));
}
