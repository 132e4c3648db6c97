import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planFrom } from '../../../../src/core/tools/native/plan';

const problem = (id: string): object => ({
  ProblemID: id,
  Request: `Do ${id}`,
  SolutionRequirement: `${id} < 3 && works`,
});
const plan = (ids: string, graph?: string): object => ({ problems: [...ids].map(problem), ProblemGraph: graph });
const arrows = (input: object): string[] => planFrom(input).edges.map((edge) => edge.join(''));

describe('a plan', () => {
  it('gives its problems with what a solution must fulfil', () => {
    assert.deepEqual(planFrom(plan('A')).problems, [{ id: 'A', request: 'Do A', requirement: 'A < 3 && works' }]);
  });

  for (const [what, ids, graph, edges] of [
    ['without a graph is a chain', 'ABC', undefined, ['AB', 'BC']],
    ['with an empty graph is a chain', 'AB', '', ['AB']],
    ['with one problem has no edges', 'A', undefined, []],
    ['follows the lines of its graph', 'ABC', 'A -> B\nA->C', ['AB', 'AC']],
    ['joins every left side with every right side', 'ABCD', 'A, B -> C, D', ['AC', 'AD', 'BC', 'BD']],
    ['may have several arrows in a line', 'ABC', 'A -> B -> C', ['AB', 'BC']],
    ['names an edge once', 'ABC', 'A -> B\nA -> B, C', ['AB', 'AC']],
    ['may name a problem that waits for nothing', 'ABC', 'A -> B\nC', ['AB']],
  ] as const) {
    it(what, () => assert.deepEqual(arrows(plan(ids, graph)), edges));
  }

  for (const [what, input, says] of [
    ['unknown problems', plan('AB', 'A -> X'), /graph names X, which is not a ProblemID\. There are: A, B/],
    ['a circle', plan('ABC', 'A -> B\nB -> C\nC -> B'), /cycle: (B -> C -> B|C -> B -> C)/],
    ['a problem that waits for itself', plan('AB', 'A -> A'), /cycle: A -> A/],
    ['two problems with one id', plan('AA'), /Several problems have the ProblemID A/],
    ['a line without a right side', plan('AB', 'A ->'), /"A ->" of the graph is missing a side/],
    ['a problem without a request', { problems: [{ ProblemID: 'A' }] }, /Problem A has no Request/],
    ['no problems', { problems: [] }, /no problems/],
    ['no plan at all', 'Just do it.', /no problems/],
  ] as const) {
    it(`is refused for ${what}`, () => assert.throws(() => planFrom(input), says));
  }

  it('may have several spellings', () => {
    const problems = [
      { id: 'A', request: 'Do A', requirement: 'r' },
      { id: 'B', request: 'Do B', requirement: '' },
    ];
    const expected = { problems, edges: [['B', 'A']] };
    assert.deepEqual(planFrom({ problems, graph: 'B -> A' }), expected);
    assert.deepEqual(planFrom({ problems, graph: ['B -> A'] }), expected);
    assert.deepEqual(planFrom({ problems, graph: [['B', 'A']] }), expected);
    assert.deepEqual(
      planFrom({
        Problems: [
          { ProblemID: 'A', Request: 'Do A', SolutionRequirement: 'r' },
          { ProblemID: 'B', Request: 'Do B' },
        ],
        ProblemGraph: 'B -> A',
      }),
      expected,
    );
    assert.deepEqual(planFrom({ problems: [{ request: 'one' }, { request: 'two' }] }).edges, [['1', '2']]);
  });

  it('gives an order to work in, or is refused, whatever its graph', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), {
          minLength: 1,
          maxLength: 12,
        }),
        (pairs) => {
          const problems = [...'ABCDEF'].map((id) => ({ id, request: id, requirement: '' }));
          const graph = pairs.map(([from, to]) => `${problems[from]!.id} -> ${problems[to]!.id}`).join('\n');
          // Reachability by repeated squaring, as an independent way to find a cycle.
          const reach = problems.map((_, from) =>
            problems.map((__, to) => pairs.some((pair) => pair[0] === from && pair[1] === to)),
          );
          for (const by of reach.keys())
            for (const from of reach.keys())
              for (const to of reach.keys()) if (reach[from]![by] && reach[by]![to]) reach[from]![to] = true;
          if (reach.some((row, index) => row[index]))
            return assert.throws(() => planFrom({ problems, graph }), /cycle/);
          assert.deepEqual(
            new Set(planFrom({ problems, graph }).edges.map((edge) => edge.join(' -> '))),
            new Set(graph.split('\n')),
          );
        },
      ),
    );
  });

  it('is a plan or an error in words, whatever stands in it', () => {
    const part = fc.oneof(fc.constantFrom('A', 'B', '->', 'A -> B', '', 1, null), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            problems: fc.oneof(part, fc.array(fc.oneof(part, fc.record({ id: part, request: part })))),
            graph: fc.oneof(part, fc.array(fc.oneof(part, fc.array(part)))),
          }),
        ),
        (input) => {
          try {
            planFrom(input);
          } catch (thrown) {
            assert.match((thrown as Error).message, /plan/);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
