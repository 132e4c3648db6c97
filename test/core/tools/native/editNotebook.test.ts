import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import * as z from 'zod';
import { understand } from '../../../../src/core/tools/dialects/understand';
import { waymarkDialect } from '../../../../src/core/tools/dialects/waymark';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { editNotebook } from '../../../../src/core/tools/native/editNotebook';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { writeFile } from '../../../../src/core/tools/native/writeFile';
import { toolsets } from '../../../../src/core/tools/toolsets';
import { toolBench, type ToolBench } from '../../../support/toolBench';

interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly [field: string]: unknown;
}

const code = (source: Cell['source'], more: object = {}): Cell => ({
  cell_type: 'code',
  execution_count: 7,
  metadata: { tags: ['kept'] },
  outputs: [{ name: 'stdout', output_type: 'stream', text: ['printed é\n'] }],
  source,
  ...more,
});
const words = (source: Cell['source'], more: object = {}): Cell => ({
  cell_type: 'markdown',
  metadata: {},
  source,
  ...more,
});

const notebookOf = (cells: readonly Cell[], minor = 5): object => ({
  cells: cells.map((cell, index) => (minor >= 5 ? { ...cell, id: `given-${index}` } : cell)),
  metadata: { kernelspec: { display_name: 'Python 3', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: minor,
});

/** Escapes every character beyond ASCII, as Python's writer does by default. */
const ascii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Notebook layouts of different programs: `write` creates the text of a file. */
const layouts: readonly { readonly by: string; write(notebook: object): string }[] = [
  { by: 'Jupyter and VS Code', write: (notebook) => `${JSON.stringify(notebook, undefined, 1)}\n` },
  { by: 'Colab', write: (notebook) => JSON.stringify(notebook, undefined, 2) },
  { by: 'an editor that indents with tabs', write: (notebook) => `${JSON.stringify(notebook, undefined, '\t')}\n` },
  { by: 'a program that writes one line', write: (notebook) => JSON.stringify(notebook) },
  { by: "Python's json without options", write: (notebook) => ascii(JSON.stringify(notebook, undefined, 1)) },
  { by: 'Windows', write: (notebook) => JSON.stringify(notebook, undefined, 1).replaceAll('\n', '\r\n') },
];

/** The published schema of a cell, version 4.5: exactly these keys. */
const Id = z.string().regex(/^[a-zA-Z0-9-_]{1,64}$/);
const Source = z.union([z.string(), z.array(z.string())]);
const SchemaCell = z.discriminatedUnion('cell_type', [
  z.strictObject({
    cell_type: z.literal('code'),
    id: Id,
    metadata: z.looseObject({}),
    source: Source,
    outputs: z.array(z.looseObject({ output_type: z.string() })),
    execution_count: z.int().min(0).nullable(),
  }),
  ...(['markdown', 'raw'] as const).map((kind) =>
    z.strictObject({
      cell_type: z.literal(kind),
      id: Id,
      metadata: z.looseObject({}),
      source: Source,
      attachments: z.looseObject({}).optional(),
    }),
  ),
]);

const sourceOf = ({ source }: Cell): string => [source].flat().join('');
const cellsIn = (text: string): Cell[] => (JSON.parse(text) as { cells: Cell[] }).cells;

describe('edit_notebook', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());

  const placed = async (text: string): Promise<void> => {
    bench.place('a.ipynb', text);
    await bench.use(readFile, { path: 'a.ipynb' });
  };
  const edit = (...edits: object[]) => bench.use(editNotebook, { path: 'a.ipynb', edits });
  const text = (): string => bench.text('a.ipynb')!;

  for (const { by, write } of layouts) {
    it(`keeps each byte beside the source of a cell, as ${by} lays it out`, async () => {
      const before = write(notebookOf([words('# é'), code(['x = 1\n', 'y = 2']), code('z')]));
      await placed(before);
      const { content } = await edit({ cell: 2, do: 'replace', source: 'x = 1\ny = "é"\n' });
      assert.match(content, /Replaced cell 2\. Its outputs are those of its last run\./);
      const wanted = write(notebookOf([words('# é'), code(['x = 1\n', 'y = "é"\n']), code('z')]));
      assert.equal(text(), wanted);
    });

    it(`inserts and deletes as the program would have written it: ${by}`, async () => {
      await placed(write(notebookOf([words('one'), code('two'), words('three')])));
      const { content } = await edit(
        { cell: 0, do: 'insert', source: 'first', type: 'markdown' },
        { cell: 2, do: 'delete' },
        { cell: 3, do: 'insert', source: 'last = "é"\nend' },
      );
      assert.match(
        content,
        /Deleted cell 2\.\nInserted a markdown cell; it is cell 1 now\.\nInserted a code cell; it is cell 4 now\./,
      );
      const now = cellsIn(text());
      assert.deepEqual(now.map(sourceOf), ['first', 'one', 'three', 'last = "é"\nend']);
      const again = write(JSON.parse(text()) as object);
      assert.equal(text(), again);
    });
  }

  it('makes cells that the schema of the format takes', async () => {
    const kinds = [undefined, 'code', 'markdown', 'raw'];
    await placed(layouts[0]!.write(notebookOf([code('one'), words('two', { attachments: { 'a.png': {} } })])));
    await edit(
      ...kinds.map((type) => ({ cell: 1, do: 'insert', source: 'same', type })),
      { cell: 1, do: 'replace', source: 'words', type: 'markdown' },
      { cell: 2, do: 'replace', source: 'code', type: 'code' },
    );
    const cells = cellsIn(text());
    for (const cell of cells)
      assert.deepEqual(SchemaCell.safeParse(cell).error?.issues ?? [], [], JSON.stringify(cell));
    assert.deepEqual(
      cells.map((cell) => cell.cell_type),
      ['markdown', 'code', 'code', 'markdown', 'raw', 'code'],
    );
    assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
    assert.deepEqual([cells[0]!.id, cells[0]!.metadata, cells[5]!.id], ['given-0', { tags: ['kept'] }, 'given-1']);
  });

  it('gives no ids in versions of the format that have none', async () => {
    await placed(layouts[0]!.write(notebookOf([words('one')], 4)));
    await edit({ cell: 1, do: 'insert', source: 'two' });
    assert.deepEqual(
      cellsIn(text()).map((cell) => 'id' in cell),
      [false, false],
    );
  });

  it('makes what nbformat itself takes', async function () {
    const hasNbformat = spawnSync('python3', ['-c', 'import nbformat']).status === 0;
    if (!hasNbformat) return this.skip(); // Python or its package nbformat is not installed.
    // In Jupyter's key order.
    const metadata = { kernelspec: { display_name: 'Python 3', name: 'python3' } };
    const outputs = [{ name: 'stdout', output_type: 'stream', text: ['é\n'] }];
    const cells = [
      { cell_type: 'code', execution_count: 1, id: 'one', metadata: {}, outputs, source: ['x = "é"'] },
      { cell_type: 'markdown', id: 'two', metadata: {}, source: [] },
    ];
    await placed(layouts[0]!.write({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));
    await edit(
      { cell: 1, do: 'insert', source: 'a\nb' },
      { cell: 2, do: 'insert', source: '', type: 'raw' },
      { cell: 2, do: 'replace', source: 'x', type: 'code' },
    );
    const check =
      'import nbformat, sys; nb = nbformat.read(sys.argv[1], 4); nbformat.validate(nb); nbformat.write(nb, sys.argv[1])';
    const before = text();
    const { status, stderr } = spawnSync('python3', ['-c', check, bench.at('a.ipynb')], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(text(), before, 'nbformat writes the same bytes');
  });

  it('empties a notebook and fills it again', async () => {
    const before = layouts[0]!.write(notebookOf([words('one')]));
    await placed(before);
    await edit({ cell: 1, do: 'delete' });
    assert.equal(text(), layouts[0]!.write(notebookOf([])));
    await bench.use(readFile, { path: 'a.ipynb' });
    await edit({ cell: 0, do: 'insert', source: 'x\ny' });
    assert.deepEqual(cellsIn(text()).map(sourceOf), ['x\ny']);
    assert.equal(text(), layouts[0]!.write(JSON.parse(text()) as object));
  });

  it('any edits come to the notebook that they say, and to nothing else', async () => {
    const source = fc
      .array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 3 })
      .map((lines) => lines.join('\n'));
    const lines = source.map((all) => (all === '' ? [] : all.split(/(?<=\n)/)));
    const cell = fc.oneof(
      fc.oneof(lines, source).map((written) => code(written)),
      fc.oneof(lines, source).map((written) => words(written)),
    );
    const notebook = fc.array(cell, { minLength: 1, maxLength: 5 });
    const changes = fc.array(
      fc.record({ place: fc.nat(5), do: fc.constantFrom('replace', 'insert', 'delete'), source }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(notebook, changes, fc.constantFrom(...layouts), async (cells, wanted, { write }) => {
        const before = write(notebookOf(cells));
        const edits = wanted.map(({ place, ...rest }) => ({ cell: (place % cells.length) + 1, ...rest }));
        await placed(before);
        const { failed, content } = await edit(...edits);
        if (failed) {
          assert.equal(bench.bytes('a.ipynb')!.toString(), before);
          assert.match(content, /Two edits change cell|already contains exactly this/);
          return;
        }
        const expected = cells.flatMap((each, index) => {
          const own = edits.filter(({ cell: number }) => number === index + 1);
          const replaced = own.find((one) => one.do === 'replace');
          const isGone = own.some((one) => one.do === 'delete');
          const kept = isGone ? [] : [replaced ? replaced.source : sourceOf(each)];
          return [...kept, ...own.filter((one) => one.do === 'insert').map((one) => one.source)];
        });
        const after = cellsIn(text());
        assert.deepEqual(after.map(sourceOf), expected);
        const untouched = cells.flatMap((each, index) =>
          edits.some((one) => one.cell === index + 1 && one.do !== 'insert') ? [] : [{ ...each, id: `given-${index}` }],
        );
        const ids = new Set(untouched.map(({ id }) => id));
        assert.deepEqual(
          after.filter(({ id }) => ids.has(String(id))),
          untouched,
        );
      }),
      { numRuns: 60 },
    );
  });

  const refuses = async (edits: object[], why: RegExp): Promise<void> => {
    const before = text();
    const { failed, content } = await edit(...edits);
    assert.equal(failed, true);
    assert.match(content, why);
    assert.equal(text(), before);
  };

  it('refuses numbers that mean no cell, edits that clash, and edits without a text', async () => {
    await placed(layouts[0]!.write(notebookOf([words('one'), code('two')])));
    await refuses([{ cell: 3, do: 'replace', source: 'x' }], /There is no cell 3: the notebook has 2 cells/);
    await refuses([{ cell: 0, do: 'delete' }], /There is no cell 0/);
    await refuses([{ cell: 1, do: 'replace' }], /To replace a cell, give source/);
    await refuses([{ cell: 1, do: 'replace', source: 'one' }], /Cell 1 already contains exactly this/);
    const clash = [
      { cell: 1, do: 'delete' },
      { cell: 1, do: 'replace', source: 'x' },
    ];
    await refuses(clash, /Two edits change cell 1/);
  });

  it('goes by no number from before cells were inserted or deleted', async () => {
    await placed(layouts[0]!.write(notebookOf([words('one'), words('two'), words('three')])));
    await edit({ cell: 1, do: 'replace', source: 'ONE' });
    await edit({ cell: 1, do: 'delete' });
    await refuses([{ cell: 2, do: 'delete' }], /Read it first: cells are named by number/);
    await bench.use(readFile, { path: 'a.ipynb' });
    await edit({ cell: 2, do: 'delete' });
    assert.deepEqual(cellsIn(text()).map(sourceOf), ['two']);
  });

  it('goes by no number from before the JSON was edited as text, unless each cell stayed where it was', async () => {
    const write = layouts[0]!.write;
    await placed(write(notebookOf([words('one'), words('two')])));
    const replaceText = (old_text: string, new_text: string) =>
      bench.use(editFile, { path: 'a.ipynb', edits: [{ old_text, new_text }] });
    await replaceText('"source": "two"', '"source": "TWO"');
    await edit({ cell: 2, do: 'replace', source: 'zwei' });
    await replaceText('"cells": [', `"cells": [${JSON.stringify({ ...words('new'), id: 'new' })},`);
    await refuses([{ cell: 2, do: 'delete' }], /Read it first: cells are named by number/);
    await bench.use(readFile, { path: 'a.ipynb' });
    await bench.use(writeFile, {
      path: 'a.ipynb',
      content: write(notebookOf([words('one'), words('new'), words('zwei')])),
    });
    await refuses([{ cell: 1, do: 'delete' }], /Read it first: cells are named by number/);
    await bench.use(readFile, { path: 'a.ipynb' });
    await edit({ cell: 2, do: 'delete' });
    assert.deepEqual(cellsIn(text()).map(sourceOf), ['one', 'zwei']);
  });

  it('refuses a notebook that was never read, or that another program changed', async () => {
    bench.place('a.ipynb', layouts[0]!.write(notebookOf([words('one')])));
    await refuses([{ cell: 1, do: 'delete' }], /Read it first/);
    await bench.use(readFile, { path: 'a.ipynb' });
    bench.place('a.ipynb', layouts[0]!.write(notebookOf([words('new'), words('one')])));
    await refuses([{ cell: 1, do: 'delete' }], /has changed since it was last read/);
  });

  it('refuses what is no notebook, and JSON that names a part twice', async () => {
    const cell = JSON.stringify(words('one'));
    const odd = [
      '{"a": 1}',
      'no JSON',
      '{"worksheets": [{"cells": []}], "nbformat": 3, "nbformat_minor": 0}',
      `{"cells": [${cell}], "nbformat": 4, "cells": [${cell}]}`,
    ];
    for (const content of odd) {
      await placed(content);
      await refuses([{ cell: 1, do: 'replace', source: 'x' }], /not a Jupyter notebook of format 4/);
    }
  });

  it('takes calls as other agents write them', () => {
    const offer = { tools: [...toolsets.default, ...toolsets.notebook], dialect: waymarkDialect };
    const calls: readonly (readonly [string, object, object])[] = [
      [
        'NotebookEdit',
        { notebook_path: 'a.ipynb', cell_id: '2', new_source: 'x', cell_type: 'code', edit_mode: 'replace' },
        { cell: 2, do: 'replace', source: 'x', type: 'code' },
      ],
      [
        'NotebookEdit',
        { notebook_path: 'a.ipynb', new_source: 'x', edit_mode: 'insert' },
        { cell: 0, do: 'insert', source: 'x' },
      ],
    ];
    for (const [tool, input, meant] of calls) {
      const read = understand({ id: '1', tool, input }, offer);
      assert.equal(read.problem, undefined);
      assert.deepEqual([read.tool, read.input], ['edit_notebook', { path: 'a.ipynb', edits: [meant] }]);
    }
    const byId = understand(
      { id: '1', tool: 'NotebookEdit', input: { notebook_path: 'a.ipynb', cell_id: 'ab12', new_source: 'x' } },
      offer,
    );
    for (const cell_number of [1, '2']) {
      const counted = { notebook_path: 'a.ipynb', cell_number, new_source: 'x' };
      const { problem } = understand({ id: '1', tool: 'NotebookEdit', input: counted }, offer);
      assert.match(problem!, /cell_number cannot be used here: .* counted from 1/, 'others count from 0');
    }
    assert.match(byId.problem!, /a cell is named by the number shown when the notebook is read/);
  });
});
