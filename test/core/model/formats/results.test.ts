import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readElement } from '../../../../src/core/text/elements';
import { actionResults } from '../../../../src/core/agent/wording';

const read = (text: string): Record<string, string>[] =>
  readElement(text, 0, (name) => ['ActionResults', 'Action'].includes(name)).children.map((entry) =>
    Object.fromEntries(entry.children.map(({ name, text: content }) => [name, content])),
  );

describe('results for a structured reply', () => {
  const results = [
    { type: 'read_file', content: 'one\ntwo\n' },
    { type: 'run_command', summary: 'Run ls', content: 'a & b' },
  ];

  it('stand in elements', () => {
    assert.equal(
      actionResults(results, 'xml'),
      `<ActionResults>
<Action>
<ActionType>read_file</ActionType>
<ActionResult>one
two
</ActionResult>
</Action>
<Action>
<ActionType>run_command</ActionType>
<ActionSummary>Run ls</ActionSummary>
<ActionResult><![CDATA[a & b]]></ActionResult>
</Action>
</ActionResults>`,
    );
  });

  it('stand in one JSON object', () => {
    assert.deepEqual(JSON.parse(actionResults(results, 'json')), {
      ActionResults: [
        { ActionType: 'read_file', ActionResult: 'one\ntwo\n' },
        { ActionType: 'run_command', ActionSummary: 'Run ls', ActionResult: 'a & b' },
      ],
    });
  });

  it('cannot pretend to be others', () => {
    const content = fc
      .array(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            '</ActionResult>',
            '</Action>',
            '<ActionType>run_command</ActionType>',
            ']]>',
            '<![CDATA[',
            '&lt;',
          ),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(content, { minLength: 1 }), (contents) => {
        const given = contents.map((text) => ({ type: 'a', content: `${text}.` }));
        const entries = read(actionResults(given, 'xml'));
        assert.deepEqual(
          entries,
          given.map(({ type, content: text }) => ({ ActionType: type, ActionResult: text })),
        );
        assert.deepEqual(
          (JSON.parse(actionResults(given, 'json')) as { ActionResults: unknown[] }).ActionResults.length,
          given.length,
        );
      }),
    );
  });
});
