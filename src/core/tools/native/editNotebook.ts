import * as z from 'zod';
import { changeFile } from '../files/changeFile';
import { unified } from '../files/replacements';
import { defineTool } from '../defineTool';
import { cellKinds, editCells, type CellEdit } from '../notebook/editCells';

/**
 * Edits a notebook by cell. Cells are identified by number, so the notebook must have been read since the last
 * renumbering.
 */
export const editNotebook = defineTool({
  name: 'edit_notebook',
  description: 'Edit cells of a Jupyter notebook. All edits of a call use the cell numbers that read_file shows.',
  input: z.object({
    path: z.string(),
    edits: z
      .array(
        z.object({
          cell: z.int().min(0).describe('insert: the cell before it, 0 for the beginning'),
          do: z.enum(['replace', 'insert', 'delete']),
          source: z.string().optional().describe('whole text'),
          type: z.enum(cellKinds).optional(),
        }),
      )
      .min(1),
  }),
  example: { path: 'a.ipynb', edits: [{ cell: 1, do: 'replace', source: 'x = 2' }] },
  effect: 'writes',
  offeredFor: 'ipynb',
  streamedArguments: { path: 'path', texts: ['source'] },
  summarize: ({ path, edits }) => `Edit ${path}: ${summarizeEdits(edits)}`,
  touches: ({ path, edits }) => ({ writes: [path], adds: edits.map(({ source = '' }) => source).join('\n') }),
  allowKey: ({ path }) => path,
  run: ({ path, edits }, context) =>
    changeFile(path, context, (text, seen) => {
      if (!seen) return { refused: 'Read it first: cells are named by number, and the numbers may have changed.' };
      const edited = editCells(text, edits.map(withPlainLines));
      if ('refused' in edited) return edited;
      const again = edited.isRenumbered ? ['Cell numbers have changed: read the notebook before the next edit.'] : [];
      return { text: edited.text, note: [...edited.done, ...again].join('\n') };
    }),
});

const withPlainLines = (edit: CellEdit): CellEdit => ({
  ...edit,
  ...(edit.source !== undefined && { source: unified(edit.source) }),
});

const maxNamed = 4;

/** "replace cell 3, delete cell 5" */
function summarizeEdits(edits: readonly CellEdit[]): string {
  const named = edits.slice(0, maxNamed).map((edit) => {
    if (edit.do !== 'insert') return `${edit.do} cell ${edit.cell}`;
    return edit.cell === 0 ? 'insert a cell at the beginning' : `insert a cell after cell ${edit.cell}`;
  });
  const more = edits.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
