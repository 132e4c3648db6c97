import fs from 'node:fs';
import path from 'node:path';
import { besides } from '../besides.mjs';
import { median, quantile } from '../statistics.mjs';

const lines = 2000;
const edits = 200;
const before = (line) => `line ${String(line).padStart(4, '0')} has the value ${line};`;
const after = (line) => `line ${String(line).padStart(4, '0')} was edited;`;
const every = lines / edits;

/** Makes 200 exact edits, spread over a file of 2,000 lines. */
export async function measureEdits({ model, quick }) {
  const calls = Array.from({ length: edits }, (_, edit) => ({
    tool: 'edit_file',
    input: { path: 'data.txt', edits: [{ old_text: before(edit * every), new_text: after(edit * every) }] },
  }));
  const text = (line) => Array.from({ length: lines }, (_, index) => `${line(index)}\n`).join('');
  const both = await besides(model, calls, quick ? 2 : 5, {
    prepare: (work) => fs.writeFileSync(path.join(work, 'data.txt'), text(before)),
    check: (work) => {
      if (
        fs.readFileSync(path.join(work, 'data.txt'), 'utf8') !==
        text((line) => (line % every === 0 ? after : before)(line))
      )
        throw new Error('The edited file has the wrong content.');
    },
  });
  const edit = both(({ gaps }) => median(gaps));
  return [
    { measure: '200 edits of a 2,000-line file: median', unit: 'ms', aim: 3 * edit.durable, ...edit },
    {
      measure: '200 edits of a 2,000-line file: 95th percentile',
      unit: 'ms',
      ...both(({ gaps }) => quantile(gaps, 0.95)),
    },
  ];
}
