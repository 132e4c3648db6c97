import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { draw } from '../../../src/protocol/plain/diagrams/draw';
import { drawGraph } from '../../../src/protocol/plain/diagrams/drawGraph';
import type { Letters } from '../../../src/protocol/plain/diagrams/drawing';
import {
  NotDrawn,
  limits,
  type Diagram,
  type GraphDiagram,
  type SequenceDiagram,
} from '../../../src/protocol/plain/diagrams/readers/diagram';
import { readDiagram } from '../../../src/protocol/plain/diagrams/readers/readDiagram';

interface Said {
  readonly text: readonly string[];
  readonly said: Record<string, unknown>;
}

/** Expected results: how the parsers of Mermaid 11.17.2 read our texts, in the terms of `diagram.ts`. */
const judged = Object.entries(
  JSON.parse(fs.readFileSync(path.join(process.env.REPOSITORY!, 'test/fixtures/mermaid/said.json'), 'utf8')) as Record<
    string,
    Said
  >,
);

const letters: Letters = { size: 12, width: (words) => words.length * 6.6 };
const sorted = <Item>(items: readonly Item[]): Item[] =>
  [...items].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

describe('Mermaid diagrams', () => {
  for (const [name, { text, said }] of judged)
    it(`are parsed as Mermaid does: ${name}`, () => {
      const source = text.join('\n');
      if ('refused' in said) {
        assert.throws(
          () => readDiagram(source),
          (problem) => problem instanceof NotDrawn && problem.why === 'line' && problem.line > 1,
        );
        return;
      }
      assert.deepEqual(inWordsOfTheJudge(readDiagram(source)), ordered(said));
    });

  it('report the line that is not understood, or an unsupported kind', () => {
    const problem = (text: string): unknown => {
      const found = draw(text, letters);
      return found instanceof NotDrawn ? [found.why, found.line] : 'drawn';
    };
    assert.deepEqual(problem('---\ntitle: x\n---\nflowchart TD\n  a --> b\n  a => b'), ['line', 6]);
    assert.deepEqual(problem('sequenceDiagram\n\n  A->>B: x\n  what'), ['line', 4]);
    assert.deepEqual(problem('gantt\n  title x'), ['kind', 0]);
    assert.deepEqual(problem('pie\n "a": 1'), ['kind', 0]);
    assert.deepEqual(problem(''), ['kind', 0]);
    assert.deepEqual(problem(`graph TD\n${'a-->b\n'.repeat(limits.edges + 1)}`), ['large', 0]);
    const crowd = Array.from({ length: limits.nodes + 1 }, (_, node) => `n${node}`).join('\n');
    assert.deepEqual(problem(`graph TD\n${crowd}`), ['large', 0]);
    assert.deepEqual(problem(`graph TD\n${' '.repeat(limits.characters)}a-->b`), ['large', 0]);
    // Two lists of ten, every item linked with every item of the other.
    const ten = (letter: string): string => Array.from({ length: 20 }, (_, node) => `${letter}${node}`).join(' & ');
    assert.deepEqual(problem(`graph TD\n${ten('a')} --> ${ten('b')}`), ['large', 0]);
  });

  it('terminate if a node has the id of a group', () => {
    for (const text of [
      'stateDiagram-v2\nstate A {\n  A : words\n  x --> y\n}',
      'classDiagram\nnamespace A {\n  class `namespace A`\n  class x\n}\nx --> `namespace A`',
      'flowchart TD\nsubgraph A (2)\nsubgraph A\nend\nsubgraph A\nb --> c\nend\nend',
      'classDiagram\nclass `note 1`\nnote "more"\n`note 1` --> x',
    ])
      assert.ok(wordsOf(text).length > 0, text);
    assert.deepEqual(wordsOf('stateDiagram-v2\nstate A {\n  A : words\n  x --> y\n}').sort(), ['words', 'x', 'y']);
  });

  it('are not drawn if groups contain each other or the drawing fails', () => {
    const node = { sections: ['x'], shape: 'box' as const, group: 0 };
    const edge = { from: 'x', to: 'y', label: '', line: 'solid', start: 'none', end: 'arrow' } as const;
    const circle: GraphDiagram = {
      kind: 'flowchart',
      title: '',
      direction: 'TB',
      nodes: [
        { id: 'x', ...node },
        { id: 'y', ...node },
      ],
      edges: [edge],
      groups: [
        { id: 'a', title: '', parent: 1 },
        { id: 'b', title: '', parent: 0 },
      ],
    };
    assert.throws(() => drawGraph(circle, letters), NotDrawn);
    const broken = (): never => {
      throw new TypeError('no font');
    };
    const found = draw('flowchart TD\na --> b', { size: 12, width: broken });
    assert.ok(found instanceof NotDrawn && found.why === 'kind');
  });

  it('drop no line that merely starts like a setting', () => {
    // Mermaid rejects most of these. They are drawn as intended or stay code, but never lose a line.
    for (const [text, written] of [
      ['stateDiagram-v2\nclick --> pressed', ['click', 'pressed']],
      ['stateDiagram-v2\nscale --> x\nstyle --> x', ['scale', 'style', 'x']],
      ['sequenceDiagram\ndetails->>A: hi', ['A', 'A', 'details', 'details', 'hi']],
      ['sequenceDiagram\nlink-service->>A: hi', ['A', 'A', 'hi', 'link-service', 'link-service']],
      ['sequenceDiagram\nproperties->>A: hi', ['A', 'A', 'hi', 'properties', 'properties']],
      ['sequenceDiagram\nopt-in->>B: hi', ['B', 'B', 'hi', 'opt-in', 'opt-in']],
      ['sequenceDiagram\npar-1->>B: hi', ['B', 'B', 'hi', 'par-1', 'par-1']],
      ['sequenceDiagram\nbox-1->>B: hi', ['B', 'B', 'box-1', 'box-1', 'hi']],
      ['erDiagram\nclass ||--o{ student : has', ['class', 'has', 'student']],
      ['classDiagram\nlink --> A', ['A', 'link']],
      ['flowchart TD\nstyle --> x', ['style', 'x']],
    ] as const)
      assert.deepEqual(wordsOf(text).sort(), written, text);
    for (const text of [
      'stateDiagram-v2\na --> b\nclass a --> b',
      'stateDiagram-v2\na --> b\naccDescr {',
      'sequenceDiagram\nA->>B: x\nlink A->>B: x',
      'sequenceDiagram\nA->>B: x\nautonumber x',
      'sequenceDiagram\nA->>B: x\ntitle',
      'flowchart TD\na --> b\nclick a --> b',
      'flowchart TD\na --> b\nclass a --> b',
    ]) {
      const found = draw(text, letters);
      assert.ok(found instanceof NotDrawn && found.why === 'line' && found.line === 3, text);
    }
  });

  it('number messages according to "autonumber"', () => {
    const numbers = (...lines: string[]): string[] =>
      wordsOf(['sequenceDiagram', ...lines].join('\n')).filter((words) => /[xyz]$/.test(words));
    assert.deepEqual(numbers('A->>B: x', 'autonumber', 'A->>B: y'), ['x', '2. y']);
    assert.deepEqual(numbers('autonumber 10 5', 'A->>B: x', 'B->>A: y'), ['10. x', '15. y']);
    assert.deepEqual(numbers('autonumber 3', 'A->>B: x', 'B->>A: y'), ['3. x', '4. y']);
    assert.deepEqual(numbers('autonumber 1.5 0.1', 'A->>B: x', 'B->>A: y'), ['1.5. x', '1.6. y']);
    assert.deepEqual(numbers('autonumber', 'A->>B: x', 'autonumber off', 'B->>A: y', 'autonumber', 'A->>B: z'), [
      '1. x',
      'y',
      '3. z',
    ]);
  });

  it('draw a line from a group to itself', () => {
    for (const text of [
      'flowchart TD\nsubgraph A\nb\nend\nA -->|again| A',
      'stateDiagram-v2\nstate A {\n  b\n}\nA --> A : again',
    ]) {
      const found = draw(text, letters);
      assert.ok(!(found instanceof NotDrawn));
      const { width, height, parts } = found.drawing;
      const edges = parts.flatMap((part) =>
        part.type === 'path' && part.className.startsWith('diagram-edge') ? [boxOf(part.d)] : [],
      );
      const [group] = parts.flatMap((part) =>
        part.type === 'path' && part.className === 'diagram-group' ? [boxOf(part.d)] : [],
      );
      assert.equal(edges.length, 1);
      assert.ok(isInside(edges[0]!, [0, 0, width, height]));
      assert.equal(Math.round(edges[0]![0]!), Math.round(group![2]!));
      assert.ok(edges[0]![2]! > group![2]!);
      assert.ok(wordsOf(text).includes('again'));
    }
  });

  it('keep no HTML, links or styles of the text', () => {
    const found = draw(
      'flowchart TD\n%%{init: {"themeCSS": "@import url(https://evil.example/x)"}}%%\n' +
        'a["<img src=x onerror=alert(1)><script>alert(2)</script>"] --> b["<b>bold</b>"]\n' +
        'click a "javascript:alert(3)"\nstyle a fill:url(https://evil.example/y)',
      letters,
    );
    assert.ok(!(found instanceof NotDrawn));
    const written = found.drawing.parts.flatMap((part) => (part.type === 'text' ? part.lines : []));
    assert.equal(
      written.join(''),
      '<img src=xonerror=alert(1)><script>alert(2)</script>bold'.replace('xon', 'x on').replace(' on', 'on'),
    );
    assert.doesNotMatch(JSON.stringify(found.drawing), /evil|javascript/);
  });

  it('stay within their bounds for any text', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'one', 'two');
    const link = fc.constantFrom('-->', '---', '-.->', '==>', '-- some words -->', '<-->', '--o', '-->|x|');
    const edge = fc.tuple(id, link, id).map((parts) => parts.join(' '));
    const line = fc.oneof(
      { weight: 6, arbitrary: edge },
      { weight: 1, arbitrary: fc.constantFrom('subgraph one', 'subgraph two [Two words]', 'subgraph three') },
      { weight: 1, arbitrary: fc.constant('end') },
      { weight: 1, arbitrary: fc.constantFrom('a[(Store)]', 'b{Is it so?}', 'c((o))', 'direction LR') },
    );
    fc.assert(
      fc.property(fc.constantFrom('TD', 'LR', 'BT', 'RL'), fc.array(line, { maxLength: 25 }), (direction, lines) => {
        const found = draw(`flowchart ${direction}\n${lines.join('\n')}`, letters);
        if (found instanceof NotDrawn) return;
        const { width, height, parts } = found.drawing;
        for (const part of parts) {
          const points = part.type === 'text' ? [[part.x, part.y]] : absolutePoints(part.d);
          for (const [x, y] of points)
            assert.ok(x! >= -1 && y! >= -1 && x! <= width + 1 && y! <= height + 1, `${x} ${y} in ${width} ${height}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never overlap nodes, and keep each node in its group', () => {
    const ids = Array.from({ length: 14 }, (_, node) => `n${node}`);
    const edges = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { minLength: 8, maxLength: 30 });
    const groups = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(edges, groups, fc.constantFrom('TD', 'LR'), (links, group, direction) => {
        const members = (of: number): string => ids.filter((_, node) => group[node] === of).join('\n');
        const text = [
          `flowchart ${direction}`,
          `subgraph g1\n${members(1)}\nsubgraph g2\n${members(2)}\nend\nend`,
          `subgraph g3\n${members(3)}\nend`,
          members(0),
          ...links.map(([from, to]) => `${from} --> ${to}`),
        ].join('\n');
        const found = draw(text, letters);
        assert.ok(!(found instanceof NotDrawn));
        const boxes = (look: string): number[][] =>
          found.drawing.parts.flatMap((part) =>
            part.type === 'path' && part.className === look ? [boxOf(part.d)] : [],
          );
        const nodes = boxes('diagram-node');
        assert.equal(nodes.length, ids.length);
        nodes.forEach((one, index) => {
          for (const other of nodes.slice(index + 1))
            assert.ok(!overlap(one, other), `${one.join(' ')} | ${other.join(' ')}`);
        });
        for (const box of boxes('diagram-group'))
          for (const node of nodes) assert.ok(!overlap(box, node) || isInside(node, box), 'half in a group');
      }),
      { numRuns: 200 },
    );
  });
});

/** Returns all texts of a drawing, one entry per text element. */
function wordsOf(text: string): string[] {
  const found = draw(text, letters);
  if (found instanceof NotDrawn) return [];
  return found.drawing.parts.flatMap((part) => (part.type === 'text' ? [part.lines.join(' ')] : []));
}

/** Returns the points of a path, including the control points of curves. */
function absolutePoints(d: string): number[][] {
  const found: number[][] = [];
  let [x, y] = [0, 0];
  for (const [, command = '', numbers = ''] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const values = numbers.match(/-?[\d.]+/g)?.map(Number) ?? [];
    const step = { M: 2, L: 2, Q: 4, l: 2, h: 1, v: 1, a: 7, H: 1, V: 1, z: 0 }[command];
    assert.ok(step !== undefined && values.length % (step || 1) === 0, d);
    const last = values.slice(-2);
    if ('MLQ'.includes(command)) {
      for (let at = 0; at < values.length; at += 2) found.push([values[at]!, values[at + 1]!]);
      [x, y] = [last[0]!, last[1]!];
      continue;
    }
    if (command === 'h') x += values[0]!;
    else if (command === 'v') y += values[0]!;
    else if (command === 'H') x = values[0]!;
    else if (command === 'V') y = values[0]!;
    else if (command !== 'z') [x, y] = [x + last[0]!, y + last[1]!];
    found.push([x, y]);
  }
  return found;
}

const boxOf = (d: string): number[] => {
  const points = absolutePoints(d);
  const [xs, ys] = [points.map(([x]) => x!), points.map(([, y]) => y!)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};
const overlap = (one: number[], other: number[]): boolean =>
  one[0]! < other[2]! && other[0]! < one[2]! && one[1]! < other[3]! && other[1]! < one[3]!;
const isInside = (one: number[], other: number[]): boolean =>
  one[0]! >= other[0]! && one[1]! >= other[1]! && one[2]! <= other[2]! && one[3]! <= other[3]!;

/** Sorts nodes and groups, because Mermaid lists them in a different order. */
function ordered(said: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(said).map(([key, value]) => [
      key,
      Array.isArray(value) && key !== 'steps' && key !== 'people' ? sorted(value) : value,
    ]),
  );
}

function inWordsOfTheJudge(diagram: Diagram): unknown {
  switch (diagram.kind) {
    case 'sequence':
      return sequenceWords(diagram);
    case 'flowchart':
      return ordered(flowchartWords(diagram));
    case 'state':
      return ordered(stateWords(diagram));
    case 'class':
      return ordered(classWords(diagram));
    case 'er':
      return ordered({
        entities: diagram.nodes.map(({ id, sections: [label, fields = ''] }) => [
          id,
          label,
          fields.split('\n').filter(Boolean),
        ]),
        relations: diagram.edges.map(({ from, to, label, start, end, line }) => [from, to, label, start, end, line]),
      });
  }
}

function flowchartWords({ direction, nodes, edges, groups }: GraphDiagram): Record<string, unknown> {
  return {
    direction,
    nodes: nodes.map(({ id, sections, shape }) => [id, sections[0], shape]),
    edges: edges.map(({ from, to, label, line, start, end }) => [from, to, label, line, start, end]),
    groups: groups.map(({ id, title }, index) => [
      id,
      title,
      [...nodes.filter(({ group }) => group === index), ...groups.filter(({ parent }) => parent === index)]
        .map((one) => one.id)
        .sort(),
    ]),
  };
}

function stateWords({ direction, nodes, edges, groups }: GraphDiagram): Record<string, unknown> {
  const parent = (group: number | undefined): string => (group === undefined ? '' : groups[group]!.id);
  const name = (id: string): string => {
    const shape = nodes.find((node) => node.id === id)?.shape;
    return shape === 'start' || shape === 'end' ? `(${shape})` : id;
  };
  const isNote = (id: string): boolean => nodes.find((node) => node.id === id)?.shape === 'note';
  return {
    direction,
    nodes: [
      ...nodes
        .filter(({ shape }) => shape !== 'note')
        .map(({ id, sections, shape, group }) => [name(id), sections[0], shape, parent(group)]),
      ...groups.map(({ id, title, parent: of }) => [id, title, 'group', parent(of)]),
    ],
    notes: edges
      .filter(({ to }) => isNote(to))
      .map(({ from, to }) => [from, nodes.find(({ id }) => id === to)!.sections[0]]),
    edges: edges.filter(({ to }) => !isNote(to)).map(({ from, to, label }) => [name(from), name(to), label]),
  };
}

function classWords({ direction, nodes, edges, groups }: GraphDiagram): Record<string, unknown> {
  const notes = nodes.filter(({ shape }) => shape === 'note');
  const isNote = (id: string): boolean => notes.some((note) => note.id === id);
  const of = (id: string): string => edges.find(({ to }) => to === id)?.from ?? '';
  const lines = (section = ''): string[] => section.split('\n').filter(Boolean);
  return {
    direction,
    classes: nodes
      .filter(({ shape }) => shape !== 'note')
      .map(({ id, sections: [head = '', fields, methods], group }) => {
        const label = head.split('\n').at(-1)!;
        return [
          id,
          label.replace(/<.*>$/, ''),
          [...head.matchAll(/«(.+)»/g)].map(([, kind]) => kind),
          lines(fields),
          lines(methods),
          group === undefined ? '' : groups[group]!.title,
        ];
      }),
    relations: edges
      .filter(({ to }) => !isNote(to))
      .map(({ from, to, fromLabel, toLabel, label, start, end, line }) => [
        from,
        to,
        fromLabel,
        toLabel,
        label,
        start,
        end,
        line,
      ]),
    notes: notes.map(({ id, sections }) => [sections[0], of(id)]),
  };
}

function sequenceWords({ title, people, steps }: SequenceDiagram): unknown {
  const id = (person: number): string => people[person]!.id;
  return {
    title,
    people: people.map((person) => [person.id, person.label, person.isActor]),
    steps: steps.map((step) => {
      switch (step.type) {
        case 'message':
          return ['message', id(step.from), id(step.to), step.text, step.isDashed, step.start, step.end];
        case 'note':
          return ['note', step.side, id(step.from), id(step.to), step.text];
        case 'activate':
        case 'deactivate':
          return [step.type, id(step.person)];
        case 'open':
          return ['open', step.word || 'rect', step.text];
        case 'next':
          return ['next', step.word, step.text];
        case 'close':
          return ['close'];
      }
    }),
  };
}
