import type { ModelReply } from '../../../src/core/ports/model';
import { formatFor } from '../../../src/core/model/formats/formatFor';
import { fitArguments } from '../../../src/core/model/formats/fitArguments';
import { readLooseJson } from '../../../src/core/text/looseJson';
import { planFrom } from '../../../src/core/tools/native/plan';
import { dialects } from '../../../src/core/tools/dialects/dialects';
import { understand } from '../../../src/core/tools/dialects/understand';
import { vocabularies } from '../../../src/core/tools/dialects/vocabulary/vocabularies';
import { toolsFor } from '../../../src/core/tools/toolsFor';
import type { FormatChoice } from '../../../src/core/ports/profile';
import type { Reader } from './readers';
import { uncounted } from '../../support/newEvents';

/** One choice for each way to write actions. */
const choices: readonly FormatChoice[] = [
  { kind: 'tool_calls' },
  { kind: 'tool_calls', strict: true },
  { kind: 'fenced', label: 'bash', tool: 'bash' },
  { kind: 'tagged', tag: 'action', tool: 'bash' },
  { kind: 'workgraph', syntax: 'xml' },
  { kind: 'workgraph', syntax: 'json' },
];

const replyOf = (text: string, toolArguments?: string): ModelReply => ({
  text,
  toolCalls:
    toolArguments === undefined
      ? []
      : [{ id: 'call', type: 'function', function: { name: 'edit_file', arguments: toolArguments } }],
  usage: uncounted,
  finishReason: 'stop',
  model: 'model',
  firstTokenMs: null,
});

/** Everything that finds actions in a model's reply. */
export function formatsOf(): Reader[] {
  const tools = toolsFor({ toolsets: ['all'] });
  const formats = choices.flatMap((choice): Reader[] => {
    const format = formatFor(choice, () => false, tools);
    const name = `format ${JSON.stringify(choice)}`;
    return [
      { name: `${name}, text`, read: (text) => format.read(replyOf(text)) },
      { name: `${name}, arguments`, read: (text) => format.read(replyOf('', text)) },
      {
        name: `${name}, arguments that begin well`,
        read: (text) => format.read(replyOf('', `{"path": "a", "edits": ${text}`)),
      },
      {
        name: `${name}, structure`,
        read: (text) =>
          format.read(replyOf(`<StructuredResponse><ImmediateNextActions><Action><Type>bash</Type><args>${text}`)),
      },
      {
        name: `${name}, structure in JSON`,
        read: (text) => format.read(replyOf(`{"TaskStatus": "Ongoing", "ImmediateNextActions": [${text}`)),
      },
    ];
  });
  const dialectReaders = dialects.flatMap((dialect) =>
    vocabularies.flatMap((vocabulary): Reader[] =>
      Object.keys((vocabulary.tool.parameters['properties'] ?? {}) as object).map((field) => ({
        name: `dialect ${dialect.name}, ${vocabulary.tool.name}.${field}`,
        read: (text: string) =>
          understand(
            { id: 'call', tool: vocabulary.names[0] ?? vocabulary.tool.name, input: { [field]: text } },
            { tools, dialect },
          ),
      })),
    ),
  );
  return [
    ...formats,
    ...dialectReaders,
    { name: 'JSON as models write it', read: (text) => readLooseJson(text) },
    { name: 'a plan', read: (text) => planFrom({ problems: [{ request: text }], graph: text }) },
    {
      name: 'arguments as text',
      read: (text) =>
        fitArguments(
          { list: text, object: text, number: text, flag: text },
          {
            properties: {
              list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
              object: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
              number: { type: 'number' },
              flag: { type: 'boolean' },
            },
          },
        ),
    },
  ];
}
