import { strict as assert } from 'node:assert';
import { withNewProblems } from '../../../../src/core/agent/acting/newProblems';
import type { Diagnostics, NewProblems } from '../../../../src/core/ports/diagnostics';
import type { ToolResult } from '../../../../src/core/ports/tool';

const hunks = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }];
const change = (path: string, kind: 'modified' | 'deleted' = 'modified') => ({
  path,
  kind,
  added: 1,
  removed: 1,
  version: 'v',
  hunks,
});
const edited = (...changes: ReturnType<typeof change>[]): ToolResult => ({
  content: 'Edited.',
  details: { kind: 'edit', changes },
});
const goOn = new AbortController().signal;

describe('the result of an edit', () => {
  let asked: (readonly string[])[];
  let open: number;
  const service = (problems: Partial<NewProblems>): Diagnostics => ({
    watch: () => {
      open++;
      return {
        since: (changed) => {
          asked.push(changed);
          return Promise.resolve({ lines: [], more: 0, gone: 0, ...problems });
        },
        dispose: () => {
          open--;
        },
      };
    },
  });
  beforeEach(() => {
    asked = [];
    open = 0;
  });
  afterEach(() => assert.equal(open, 0, 'nothing is watched any more'));

  it('lists new problems and counts resolved ones', async () => {
    const { content } = await withNewProblems(service({ lines: ['a.ts:1:1 error: e'], more: 3, gone: 1 }), goOn, () =>
      Promise.resolve(edited(change('a.ts'), change('b.ts', 'deleted'))),
    );
    assert.equal(
      content,
      'Edited.\n\nNew problems in the editor since this edit:\na.ts:1:1 error: e\n[3 more]\n1 problem is gone since this edit.',
    );
    assert.deepEqual(asked, [['a.ts']]);
  });

  it('is unchanged without new problems, after a failure, without an edit and without language services', async () => {
    const failed: ToolResult = { content: 'No.', failed: true };
    for (const [diagnostics, result] of [
      [service({}), edited(change('a.ts'))],
      [service({ gone: 1 }), failed],
      [service({ gone: 1 }), { content: 'Noted.' }],
      [service({ gone: 1 }), edited(change('a.ts', 'deleted'))],
      [undefined, edited(change('a.ts'))],
    ] as const) {
      assert.equal(await withNewProblems(diagnostics, goOn, () => Promise.resolve(result)), result);
    }
  });

  it('does not wait for problems after an abort', async () => {
    await withNewProblems(service({}), AbortSignal.abort(), () => Promise.resolve(edited(change('a.ts'))));
    assert.deepEqual(asked, []);
  });

  it('stops watching for problems if the tool throws', async () => {
    await assert.rejects(
      withNewProblems(service({}), goOn, () => Promise.reject(new Error('It broke.'))),
      /It broke/,
    );
  });
});
