import { strict as assert } from 'node:assert';
import type { Tool } from '../../../api/waymark';
import { contributedTools } from '../../../src/extension/contributed/contributedTools';
import { checkedTool } from '../../../src/extension/contributed/checkContributions';

const tool = (more: object = {}): object => ({
  name: 'say',
  description: 'Says it.',
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
  run: async () => 'said',
  ...more,
});

interface Loose {
  name: string;
  description: string;
  parameters: { properties: object };
}

describe('a tool that an extension registers', () => {
  it('does not change if the extension changes the object later', async () => {
    const given = {
      ...tool(),
      word: 'mine',
      async run(this: { word: string }) {
        return this.word;
      },
    } as unknown as Loose;
    const thing = checkedTool(given, []);
    const source = contributedTools({ all: [{ by: { id: 'a.b', name: 'B' }, value: thing }] });
    given.name = 'a name\nthat cannot be';
    given.description = 7 as never;
    given.parameters.properties = { toJSON: () => undefined };
    const [{ name, description, parameters }] = source.tools() as unknown as [Tool];
    assert.deepEqual(
      [name, description, parameters],
      ['ext_say', 'Says it.', { type: 'object', properties: { word: { type: 'string' } } }],
    );
    assert.throws(() => {
      (thing.parameters['properties'] as Record<string, unknown>)['more'] = {};
    }, TypeError);
    assert.equal(await thing.run({}, undefined as never), 'mine');
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  for (const [what, parameters, why] of [
    [
      'convert to nothing',
      {
        toJSON() {
          /* nothing */
        },
      },
      /the parameters of "say" are not JSON\. Use a JSON Schema/,
    ],
    ['contain a cycle', cycle, /are not JSON\./],
    [
      'throw',
      {
        toJSON() {
          throw new Error('no');
        },
      },
      /are not JSON\./,
    ],
    ['are an array', [], /are not a JSON object\./],
    ['convert to a string', { toJSON: () => 'text' }, /are not a JSON object\./],
  ] as const)
    it(`is rejected with a reason if its parameters ${what}`, () =>
      assert.throws(() => checkedTool(tool({ parameters }), []), why));

  it('is read once, so later reads cannot differ', () => {
    let reads = 0;
    const thing = checkedTool(Object.defineProperty(tool(), 'name', { get: () => (reads++ === 0 ? 'say' : 7) }), []);
    assert.deepEqual([thing.name, reads], ['say', 1]);
  });
});
