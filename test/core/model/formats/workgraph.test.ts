import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatFor } from '../../../../src/core/model/formats/formatFor';
import { askUser } from '../../../../src/core/tools/native/askUser';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { runCommand } from '../../../../src/core/tools/native/runCommand';
import { replied } from './reply';

const tools = [readFile, runCommand, editFile, askUser];
const xml = formatFor({ kind: 'workgraph', syntax: 'xml' }, () => false, tools);
const json = formatFor({ kind: 'workgraph', syntax: 'json' }, () => false, tools);
const names = (groups: readonly (readonly { tool: string }[])[]): string[][] =>
  groups.map((group) => group.map(({ tool }) => tool));

const action = (type: string, args = ''): string =>
  `<Action><Type>${type}</Type><Target>t</Target><Reasoning>a < b, so <Type> it is</Reasoning><Args>${args}</Args><IsFollowUp>false</IsFollowUp></Action>`;
const structure = (actions: string, status = 'Ongoing', more = ''): string => `<StructuredResponse>
  <InstantResponse>I look & see.</InstantResponse><NewTask>true</NewTask>
  <TaskStatus>${status}</TaskStatus>
  <TaskStatusDescription>half done</TaskStatusDescription>
  <ImmediateNextActions>${actions}</ImmediateNextActions>${more}
</StructuredResponse>`;

describe('a structured reply in XML', () => {
  it('says what the person reads, how far the task is, and which actions come in which order', () => {
    const text = structure(
      `${action('A')}<AlternativeActions>${action('B')}${action('C')}</AlternativeActions><Actions></Actions>${action('D')}`,
      'Ongoing',
      '<InstantLearnings><InstantLearning><LearningID>1</LearningID><LearningContent>Tests are slow.</LearningContent></InstantLearning></InstantLearnings>',
    );
    const { groups, ...rest } = xml.read(replied(text));
    assert.deepEqual(names(groups), [['A'], ['B', 'C'], ['D']]);
    assert.deepEqual(rest, {
      text: 'I look & see.',
      written: text,
      taskState: { status: 'ongoing', description: 'half done', newTask: true, learnings: ['Tests are slow.'] },
    });
    assert.equal(xml.sendsTools, false);
  });

  it('holds code as it is', () => {
    const command = 'if [ 1 -lt 2 ] && grep "<div>" < a.html; then echo \'</command>\' > b; fi';
    assert.deepEqual(
      xml.read(replied(structure(action('run_command', `<command>${command}</command><timeout>5</timeout>`)))).groups,
      [[{ id: '', tool: 'run_command', input: { command, timeout: 5 } }]],
    );
  });

  it('may write lists of objects as elements', () => {
    const edits =
      '<edits><edit><old_text>a < b</old_text><new_text></new_text></edit><edit><old_text>c</old_text><new_text>d</new_text><all>true</all></edit></edits>';
    const [[call] = []] = xml.read(replied(structure(action('edit_file', `<path>a.ts</path>${edits}`)))).groups;
    assert.deepEqual(call!.input, {
      path: 'a.ts',
      edits: [
        { old_text: 'a < b', new_text: '' },
        { old_text: 'c', new_text: 'd', all: true },
      ],
    });
    editFile.bind(call!.input);
  });

  it('takes the target for the one argument that is missing', () => {
    assert.deepEqual(xml.read(replied(structure(action('read_file')))).groups[0]![0]!.input, { path: 't' });
    assert.deepEqual(xml.read(replied(structure(action('read_file', '<path>a</path>')))).groups[0]![0]!.input, {
      path: 'a',
    });
    assert.deepEqual(xml.read(replied(structure(action('unknown')))).groups[0]![0]!.input, {});
  });

  it('may give its arguments as JSON', () => {
    assert.deepEqual(xml.read(replied(structure(action('read_file', '{"path": "a<b"}')))).groups[0]![0]!.input, {
      path: 'a<b',
    });
  });

  it('counts from its last beginning', () => {
    const draft = '<StructuredResponse><InstantResponse>no</InstantResponse>';
    for (const before of [
      'Thinking of <StructuredResponse> and more.\n',
      `${draft}\nOr rather:\n`,
      `${structure(action('Old'))}\nNo:\n`,
    ]) {
      const { groups, text } = xml.read(replied(before + structure(action('New'))));
      assert.deepEqual([names(groups), text], [[['New']], 'I look & see.']);
    }
  });

  it('counts as a whole where one of its arguments holds another', () => {
    for (const inner of [structure(action('Inner')), `Write <StructuredResponse> and`]) {
      const { groups } = xml.read(
        replied(structure(`${action('write_file', `<content>${inner}</content>`)}${action('Next')}`)),
      );
      assert.deepEqual(names(groups), [['write_file'], ['Next']]);
      assert.deepEqual(groups[0]![0]!.input, { content: inner });
    }
  });

  it('shows the words around it where it has none for the person', () => {
    const { text } = xml.read(
      replied(
        'I try.\n```xml\n<StructuredResponse><TaskStatus>Ongoing</TaskStatus><ImmediateNextActions><Action><Type>A</Type></Action></ImmediateNextActions></StructuredResponse>\n```\nWait.',
      ),
    );
    assert.equal(text, 'I try.\n\nWait.');
  });

  for (const [what, text, says] of [
    ['a tag that is not closed', structure('<Action><Type>A</Action>'), /line 5, <Type> is not closed/],
    ['an action without a type', structure('<Action><Args></Args></Action>'), /an Action has no Type/],
    [
      'arguments without names',
      structure('<Action><Type>A</Type><Args>ls -la</Args></Action>'),
      /the Args of A have no names/,
    ],
    ['an unknown status', structure(action('A'), 'Busy'), /TaskStatus is "Busy"/],
    ['something else among the actions', structure('<Step>A</Step>'), /<Step> is not allowed in ImmediateNextActions/],
    [
      'parts without a whole',
      '<TaskStatus>Ongoing</TaskStatus>\n<ImmediateNextActions></ImmediateNextActions>',
      /no <StructuredResponse> around it/,
    ],
  ] as const) {
    it(`is a problem with ${what}`, () => {
      const { problem, groups, written } = xml.read(replied(text));
      assert.match(problem!, says);
      assert.match(problem!, /Nothing was run\.$/);
      assert.deepEqual([groups, written], [[], text]);
    });
  }
});

describe('a structured reply in JSON', () => {
  const fields = {
    InstantResponse: 'I look.',
    NewTask: false,
    TaskStatus: 'Ongoing',
    TaskStatusDescription: 'half done',
    InstantLearnings: [{ LearningID: 1, LearningContent: 'Slow.' }],
  };
  const one = (Type: string) => ({ Type, Args: { timeout: '5' } });

  it('says the same as one in XML', () => {
    const text = JSON.stringify({
      ...fields,
      ImmediateNextActions: [[one('A')], [one('B'), one('C')], [], [one('D')]],
    });
    const { groups, ...rest } = json.read(replied(text));
    assert.deepEqual(names(groups), [['A'], ['B', 'C'], ['D']]);
    assert.deepEqual(rest, {
      text: 'I look.',
      written: text,
      taskState: { status: 'ongoing', description: 'half done', newTask: false, learnings: ['Slow.'] },
    });
  });

  for (const [what, actions, expected] of [
    ['one action where a list is expected', one('A'), [['A']]],
    ['actions without groups, which run in turn', [one('A'), one('B')], [['A'], ['B']]],
    ['groups by name', [{ Action: one('A') }, { Actions: [one('B'), one('C')] }], [['A'], ['B', 'C']]],
    [
      'one object with groups by name',
      { Action: [one('A'), one('B')], AlternativeActions: { Action: [one('C'), one('D')] } },
      [['A'], ['B'], ['C', 'D']],
    ],
    ['a mixture', [one('A'), [one('B'), one('C')]], [['A'], ['B', 'C']]],
  ] as const) {
    it(`may hold ${what}`, () =>
      assert.deepEqual(
        names(json.read(replied(JSON.stringify({ TaskStatus: 'Ongoing', ImmediateNextActions: actions }))).groups),
        expected,
      ));
  }

  for (const [what, wrap] of [
    ['in a fenced block', (text: string) => `I think.\n\`\`\`json\n${text}\n\`\`\``],
    ['under the name of the structure', (text: string) => `So: {"StructuredResponse": ${text}}`],
    ['after a broken draft', (text: string) => `{"InstantResponse": "x", "TaskStatus": \n${text}`],
    [
      'after a complete draft',
      (text: string) => `{"InstantResponse": "x", "ImmediateNextActions": [{"Type": "Old"}]}\n${text}`,
    ],
    ['before words in braces', (text: string) => `${text}\n{that is all}`],
    ['with a comma too many', (text: string) => text.replace(/\}$/, ',}')],
    [
      'with other spellings of its names',
      (text: string) =>
        text.replace('ImmediateNextActions', 'immediate_next_actions').replace('TaskStatus', 'task_status'),
    ],
  ] as const) {
    it(`may stand ${what}`, () => {
      const text = wrap(
        JSON.stringify({
          InstantResponse: 'I {look}.',
          TaskStatus: 'Ongoing',
          ImmediateNextActions: [
            { Type: 'run_command', Args: { command: 'echo "{\\"TaskStatus\\": 1}"', timeout: '5' } },
          ],
        }),
      );
      const { groups, problem } = json.read(replied(text));
      assert.deepEqual(
        [problem, groups],
        [
          undefined,
          [[{ id: '', tool: 'run_command', input: { command: 'echo "{\\"TaskStatus\\": 1}"', timeout: 5 } }]],
        ],
      );
    });
  }

  it('is a problem where it is broken, and an answer where it is none', () => {
    assert.match(
      json.read(replied('{"InstantResponse": "x",\n "TaskStatus" "Ongoing"}')).problem!,
      /in line 2, a colon is expected/,
    );
    assert.match(
      json.read(replied('{"TaskStatus": "Ongoing"}\n{"TaskStatus": "Ongoing", "ImmediateNextActions": [}')).problem!,
      /in line 2/,
    );
    assert.match(
      json.read(replied('{"TaskStatus": "Ongoing", "ImmediateNextActions": [{"Args": {}}]}')).problem!,
      /an Action has no Type/,
    );
    for (const text of ['Use {"a": 1} here.', '{"a": 1}', '{ broken', 'Done.'])
      assert.deepEqual(json.read(replied(text)), { text, groups: [] });
  });
});

for (const [name, format, write] of [
  [
    'XML',
    xml,
    (status: string, actions: readonly (readonly [string, Record<string, string>])[]) =>
      structure(
        actions
          .map(([type, args]) =>
            action(
              type,
              Object.entries(args)
                .map(([key, value]) => `<${key}>${value}</${key}>`)
                .join(''),
            ),
          )
          .join(''),
        status,
      ),
  ],
  [
    'JSON',
    json,
    (status: string, actions: readonly (readonly [string, Record<string, string>])[]) =>
      JSON.stringify({
        InstantResponse: 'I look & see.',
        TaskStatus: status,
        TaskStatusDescription: 'half done',
        ImmediateNextActions: actions.map(([Type, Args]) => ({ Type, Args })),
      }),
  ],
] as const) {
  describe(`a task in ${name}`, () => {
    it('is answered by plain text', () =>
      assert.deepEqual(format.read(replied('It is < 3 and {so}.')), { text: 'It is < 3 and {so}.', groups: [] }));

    it('is completed by a structure without actions', () => {
      const { completed, taskState, groups, notice } = format.read(replied(write('Ongoing', [])));
      assert.deepEqual([completed, taskState!.status, groups, notice], ['I look & see.', 'completed', [], undefined]);
    });

    it('that is completed runs no more actions, and the person is told', () => {
      const { completed, groups, unreadCalls, notice, problem } = format.read(
        replied(
          write('Completed', [
            ['run_command', { command: 'ls' }],
            ['B', {}],
          ]),
        ),
      );
      assert.deepEqual([completed, groups, unreadCalls!.length, problem], ['I look & see.', [], 2, undefined]);
      assert.deepEqual(unreadCalls![0], { tool: 'run_command', input: { command: 'ls' } });
      assert.match(notice!, /still asks for 2 actions \(run_command, B\)\. None of it was run/);
    });

    it('asks the person, and what was to come after is not run', () => {
      const { groups } = format.read(
        replied(
          write('Pending', [
            ['A', {}],
            ['UserInputsRequired.single_choice', { Question: 'Which?', Choices: '["x", "y"]' }],
            ['B', {}],
          ]),
        ),
      );
      assert.deepEqual(names(groups), [['A'], ['ask_user'], ['B']]);
      assert.deepEqual(groups[1]![0]!.input, { question: 'Which?', choices: ['x', 'y'] });
      askUser.bind(groups[1]![0]!.input);
      assert.deepEqual(
        groups.map(([only]) => only!.problem?.startsWith('Not run:') ?? false),
        [false, false, true],
      );
    });

    it('is asked with the words for the person where the question has none', () => {
      const input = format.read(replied(write('Ongoing', [['UserInputsRequired', {}]]))).groups[0]![0]!.input as {
        question: string;
        choices?: unknown;
      };
      assert.ok(['t', 'I look & see.'].includes(input.question));
      assert.equal(input.choices, undefined);
    });

    it('is not carried on by a reply that was cut', () => {
      const text = write('Ongoing', [
        ['A', {}],
        ['B', {}],
      ]);
      for (const cut of [text, text.slice(0, -30)]) {
        const { groups, problem } = format.read(replied(cut, 'length'));
        assert.deepEqual(groups, []);
        assert.match(problem!, /cut off at the token limit/);
      }
    });
  });
}

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '</Args>',
        '<Action>',
        'a < b',
        '&amp;',
        '\n',
        '<StructuredResponse>',
        '"TaskStatus"',
        '{',
        '```',
        '</value>',
      ),
    )
    .map((pieces) => pieces.join('')),
);
const groupsOf = fc.array(
  fc.array(
    fc.tuple(
      word,
      fc.dictionary(
        word.map((name) => `v${name}`),
        value,
        { maxKeys: 3, noNullPrototype: true },
      ),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 4 },
);
const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

describe('structured replies', () => {
  it('give back all groups of actions with their arguments', () => {
    fc.assert(
      fc.property(groupsOf, (groups) => {
        const expected = groups.map((group) => group.map(([tool, input]) => ({ id: '', tool, input })));
        const asJson = JSON.stringify({
          TaskStatus: 'Ongoing',
          ImmediateNextActions: groups.map((group) => group.map(([Type, Args]) => ({ Type, Args }))),
        });
        assert.deepEqual(json.read(replied(asJson)).groups, expected);
        const actionOf = ([type, args]: (typeof groups)[number][number]): string =>
          `<Action><Type>${type}</Type><Args>${Object.entries(args)
            .map(([key, text]) => `<${key}>${cdata(text)}</${key}>`)
            .join('\n')}</Args></Action>`;
        const asXml = structure(
          groups
            .map((group) =>
              group.length === 1 ? actionOf(group[0]!) : `<Actions>${group.map(actionOf).join('')}</Actions>`,
            )
            .join(''),
        );
        assert.deepEqual(xml.read(replied(asXml)).groups, expected);
      }),
      { numRuns: 500 },
    );
  });

  it('are read in time that grows with their length', () => {
    for (const piece of ['{"TaskStatus":', '<StructuredResponse>', '<Args><a>x</a> ', '<![CDATA[', '</a> ']) {
      for (const text of [piece.repeat(50_000), structure(action('A', `<a>x${piece.repeat(50_000)}</a>`))]) {
        for (const format of [xml, json]) assert.ok(format.read(replied(text)));
      }
    }
  }).timeout(30_000);

  it('are actions, an answer, an end or a problem, whatever is written', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '<StructuredResponse>',
        '</StructuredResponse>',
        '<ImmediateNextActions>',
        '</ImmediateNextActions>',
        '<Action>',
        '</Action>',
        '<Type>',
        '</Type>',
        '<Args>',
        '</Args>',
        '<a>',
        '</a>',
        '<Actions>',
        '</Actions>',
        'x',
        '{',
        '}',
        '[',
        ']',
        '"ImmediateNextActions"',
        '"Type"',
        '"TaskStatus"',
        ':',
        ',',
        '"x"',
        '<',
        '&',
        '\n',
        '```json\n',
        '<![CDATA[',
        ']]>',
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, fc.constantFrom('stop', 'length'), fc.boolean(), (parts, reason, begun) => {
        const text = begun ? `<StructuredResponse><ImmediateNextActions>${parts.join('')}` : parts.join('');
        for (const format of [xml, json]) {
          const { groups, problem, completed, written } = format.read(replied(text, reason));
          assert.ok(groups.every((group) => group.length > 0));
          if (problem !== undefined || completed !== undefined) assert.deepEqual([groups, written], [[], text]);
          if (groups.length > 0) assert.ok(reason === 'stop' && written === text);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
