import assert from 'node:assert/strict';
import { resolveVariables, inputsOf } from '../../../src/core/mcp/interpolation';
import { readServers, serversOfSetting } from '../../../src/core/mcp/readServers';
import { launchLine, variablesIn, type StdioServer } from '../../../src/core/mcp/server';

const place = { file: '.mcp.json', folder: '/work', own: false };
const read = (source: string) => readServers(source, place);
const problems = (source: string) =>
  read(source).problems.map(({ severity, message, from: { line, column }, server }) => [
    severity,
    `${line}:${column}`,
    message,
    server,
  ]);

describe('a file of MCP servers', () => {
  it('is read in the formats of several products, with comments and commas too many', () => {
    const { servers, problems: wrong } = read(`\uFEFF{
\t// as VS Code writes it
\t"inputs": [{ "type": "promptString", "id": "key", "description": "The key", "password": true }],
\t"servers": {
\t\t"files": { "type": "stdio", "command": "npx", "args": ["-y", "files // no comment"], "env": { "KEY": "\${input:key}", "N": 3 }, "timeout": 5, },
\t\t"web": { "type": "http", "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" }, "disabled": true }
\t}, /* the end */
}`);
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      servers.map(({ name, kind, disabled, timeoutMs }) => [name, kind, disabled, timeoutMs]),
      [
        ['files', 'stdio', false, 5000],
        ['web', 'http', true, 120_000],
      ],
    );
    assert.deepEqual((servers[0] as StdioServer).args, ['-y', 'files // no comment']);
    assert.deepEqual((servers[0] as StdioServer).env, { KEY: '${input:key}', N: '3' });
    assert.equal(servers[0]!.from.line, 5);
    assert.deepEqual(
      read('{"mcpServers": {"a": {"url": "http://localhost:1/mcp"}}}').servers.map(({ kind }) => kind),
      ['http'],
    );
    assert.deepEqual(
      serversOfSetting({ a: { command: 'x' } }, '/work').servers.map(({ name, own, file }) => [name, own, file]),
      [['a', true, 'settings']],
    );
  });

  it('has fields reported that look like a known one, and no fields of other products', () => {
    assert.deepEqual(
      problems('{"servers": {"a": {"command": "x", "arg": ["y"], "gallery": true, "alwaysAllow": [], "dev": {}}}}'),
      [['warning', '1:43', 'Waymark does not read the field "arg". Did you mean "args"?', 'a']],
    );
  });

  it('may use the names of an object’s own functions; one that is left out is reported', () => {
    const source =
      '{"servers": {"constructor": {"command": "x", "env": {"toString": "a", "__proto__": "b"}}, "__proto__": {}}}';
    assert.deepEqual(problems(source), [
      ['warning', '1:91', '"__proto__" is not read. Choose another name.', undefined],
      ['warning', '1:71', '"__proto__" is not read. Choose another name.', undefined],
    ]);
    assert.deepEqual(
      read(source).servers.map((server) => [server.name, (server as StdioServer).env]),
      [['constructor', { toString: 'a' }]],
    );
  });

  it('has its problems told at line and column, and the rest is used', () => {
    assert.deepEqual(
      problems(
        '{\n  "servers": {\n    "a": { "args": ["x"] },\n    "b": { "command": "x", "args": "y" },\n    "c": { "type": "sse", "url": "https://x" },\n    "d": { "url": "file:///x" },\n    "e": { "command": "x" }\n  }\n}',
      ),
      [
        ['error', '3:10', 'It has neither a "command" nor a "url".', 'a'],
        ['error', '4:36', 'args: Invalid input: expected array, received string.', 'b'],
        [
          'error',
          '5:20',
          'The transport "sse" is not supported: streamable HTTP replaced it. Use a streamable HTTP address and the type "http".',
          'c',
        ],
        ['error', '6:19', 'The address is not an http or https URL.', 'd'],
      ],
    );
    assert.deepEqual(
      read('{"servers": {"a": {}, "e": { "command": "x" }}}').servers.map(({ name }) => name),
      ['e'],
    );
    assert.match(String(problems('{"servers": {"a": [}')), /This is not JSON/);
    assert.match(String(problems('{"other": 1}')), /defines no servers/);
    assert.match(String(problems('[1]')), /defines no servers/);
    assert.deepEqual(problems(''), []);
  });

  it('never throws, and one key that stands twice costs no other server', () => {
    assert.deepEqual(problems('{"x":*y}'), [
      ['error', '1:6', 'This is not JSON: "*y" is not a value. Put it in quotes if it is text.', undefined],
    ]);
    const twice =
      '{"servers": {\n  "a": {"command": "x"},\n  "b": {"command": "y"},\n  "a": {"url": "ftp://z", "cwd": "p", "cwd": "q"}\n}}';
    assert.deepEqual(problems(twice), [
      ['warning', '2:3', '"a" is defined more than once; the last definition is used.', undefined],
      ['warning', '4:27', '"cwd" is defined more than once; the last definition is used.', undefined],
      ['error', '4:16', 'The address is not an http or https URL.', 'a'],
    ]);
    assert.deepEqual(
      read(twice).servers.map(({ name }) => name),
      ['b'],
    );
    assert.match(String(problems('['.repeat(20_000))), /error/);
  });

  it('is not read where its brackets are deeper than any list of servers, whatever stands in quotes', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const around = (value: string): string => `{"servers": {"a": {"command": "x"}}, "other": ${value}}`;
    const names = (source: string): string[] => read(source).servers.map(({ name }) => name);
    assert.deepEqual(names(around(nested(30))), ['a']);
    assert.deepEqual(names(around(nested(200))), []);
    assert.match(String(problems(around(nested(200)))), /cannot be read: it nests brackets more than 32 levels deep/);
    assert.deepEqual(names(around(JSON.stringify(`\\"${'[{'.repeat(500)}`))), ['a']);
    assert.deepEqual(names(around(`[${nested(30)},${nested(30)}]`)), ['a'], 'what was closed does not count');
  });

  it('has no object for a key', () => {
    for (const source of ['{{"a": 1}: 2}', '{"servers": {[1]: {"command": "x"}}}', '{{}'])
      assert.match(String(problems(source)), /This is not JSON: a key must be a string in quotes\./, source);
  });

  it('is told of a file of variables, which is not read', () => {
    const source = '{"servers": {"a": {"command": "x",\n  "envFile": "${workspaceFolder}/.env"}}}';
    assert.deepEqual(
      problems(source).map(([severity, at, message, server]) => [severity, at, String(message).slice(0, 21), server]),
      [['warning', '2:14', '"envFile" is not read', 'a']],
    );
    assert.deepEqual(
      read(source).servers.map(({ name }) => name),
      ['a'],
    );
  });

  it('names every variable of the machine that a server is given, also with an unusual name', () => {
    const [server] = read(
      '{"servers": {"a": {"command": "x", "args": ["${env:MY-KEY}", "${env:a.b:-none}", "${env:userHome}", "${input:pin}", "${MY-KEY}"]}}}',
    ).servers;
    const given: Record<string, string> = { 'MY-KEY': '1', 'a.b': '2', userHome: '3' };
    const lookups = { variable: (name: string) => given[name], input: () => '', home: '/home/ada', separator: '/' };
    assert.deepEqual((resolveVariables(server!, lookups).server as StdioServer).args, ['1', '2', '3', '', '${MY-KEY}']);
    assert.deepEqual(variablesIn(server!), Object.keys(given));
  });

  it('says which variables of the machine a server is given, and fills them in when it starts', () => {
    const [server] = read(
      '{"servers": {"a": {"command": "${userHome}/bin/x", "args": ["--dir=${workspaceFolder}", "${PLAIN}", "${OTHER:-none}", "${not a name}"], "env": {"K": "${env:SECRET}", "I": "${input:pin}"}}}}',
    ).servers;
    assert.deepEqual(variablesIn(server!), ['PLAIN', 'OTHER', 'SECRET']);
    assert.deepEqual(
      inputsOf(server!).map(({ id, secret }) => [id, secret]),
      [['pin', true]],
    );
    assert.equal(
      launchLine(server!),
      '${userHome}/bin/x --dir=${workspaceFolder} ${PLAIN} ${OTHER:-none} "${not a name}"',
    );
    const lookups = {
      variable: (name: string) => (({ PLAIN: 'p', SECRET: 's' }) as Record<string, string>)[name],
      input: () => '1234',
      home: '/home/me',
      separator: '/',
    };
    const { server: filled, secret } = resolveVariables(server as StdioServer, lookups);
    assert.deepEqual(
      [filled.command, filled.args, filled.env],
      ['/home/me/bin/x', ['--dir=/work', 'p', 'none', '${not a name}'], { K: 's', I: '1234' }],
    );
    assert.deepEqual(secret, ['p', 's', '1234']);
    assert.throws(
      () => resolveVariables(server as StdioServer, { ...lookups, variable: () => undefined }),
      /The variable PLAIN is not set/,
    );
  });
});
