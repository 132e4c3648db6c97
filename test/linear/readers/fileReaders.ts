import { readEvent } from '../../../src/adapters/log/readLog';
import { plainSettings } from '../../../src/adapters/git/gitSettings';
import { gitSettingsIn } from '../../../src/core/security/gitSettings';
import { secretsOfDotenv } from '../../../src/core/secrets/secretValues';
import { composeFindings } from '../../../src/core/security/scripts/composeFindings';
import { gitProgramsIn } from '../../../src/core/security/scripts/gitPrograms';
import { justRecipe } from '../../../src/core/security/scripts/justRecipe';
import { makeTarget } from '../../../src/core/security/scripts/makeTarget';
import { readPatch } from '../../../src/core/shell/files/patchText';
import { npmScripts } from '../../../src/core/security/scripts/pins';
import { programAlarm } from '../../../src/core/shell/files/programAlarm';
import { selfRunningFields } from '../../../src/core/shell/files/manifestFields';
import { readHookFile } from '../../../src/core/hooks/hookFile';
import { readServers } from '../../../src/core/mcp/readServers';
import { loosenYaml } from '../../../src/core/skills/looseYaml';
import { readFrontMatter } from '../../../src/core/skills/frontMatter';
import { skillLocations } from '../../../src/core/skills/locations';
import { readSkill } from '../../../src/core/skills/readSkill';
import { notebookText } from '../../../src/core/tools/reading/notebook';
import { formats } from '../../../src/core/trajectory/formats/formats';
import { readDamagedJson } from '../../../src/core/trajectory/reading/damagedJson';
import { parseBoundedJson } from '../../../src/core/trajectory/reading/json';
import { pythonDumps } from '../../../src/core/trajectory/pythonJson';
import { fingerprints } from '../../../src/core/trajectory/provenance/fingerprints';
import { parseScript } from '../../../src/adapters/models/scriptedModel';
import type { Reader } from './readers';

/** Longer files of these kinds are refused with a message. */
const longestSettings = 128 * 1024;

const serversIn = (text: string): unknown =>
  readServers(text.slice(0, longestSettings), { file: '.mcp.json', folder: '/a', own: false });

/** Wrappers that lead a reader of trajectories to its inner parts. */
const messagesAround: readonly ((text: string) => unknown)[] = [
  (text) => ({
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: text,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: text } }],
      },
      { role: 'tool', tool_call_id: 'a', content: text },
    ],
  }),
  (text) => ({
    trajectory_format: 'mini-swe-agent-1',
    info: {},
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: text },
      { role: 'assistant', content: text },
      { role: 'user', content: text },
    ],
  }),
  (text) => ({
    conversations: [
      { from: 'human', value: text },
      { from: 'gpt', value: text },
      { from: 'tool', value: text },
    ],
  }),
  (text) => ({
    schema_version: 'ATIF-v1.4',
    session_id: 'a',
    agent: { name: 'a', version: '1' },
    steps: [
      { step_id: 1, source: 'user', message: text },
      {
        step_id: 2,
        source: 'agent',
        message: text,
        tool_calls: [{ tool_call_id: 'a', function_name: 'bash', arguments: { command: text } }],
        observation: { results: [{ source_call_id: 'a', content: text }] },
      },
    ],
  }),
  (text) => ({
    trajectory: [{ action: text, observation: text, thought: text, response: text }],
    history: [],
    info: {},
  }),
];

/** Everything that reads files: of the project, of other agents, of Waymark itself. */
export function fileReaders(): Reader[] {
  const trajectories = formats.flatMap(({ name, reader, extension }): Reader[] =>
    reader
      ? [
          {
            name: `trajectory ${name}`,
            read(text) {
              const file = { path: `a${extension || '.json'}`, text };
              reader.recognises(file);
              return reader.read([file]);
            },
          },
          ...messagesAround.map((around, index) => ({
            name: `trajectory ${name}, in message ${index}`,
            read(text: string) {
              const file = { path: `a${extension || '.json'}`, text: JSON.stringify(around(text)) };
              return reader.recognises(file) ? reader.read([file]) : undefined;
            },
          })),
        ]
      : [],
  );
  const skills = skillLocations.map(({ id, where }): Reader => {
    const path = where
      .replace(/^~\//, '')
      .replace(/\*\*\//g, '')
      .replace(/<[^>]*>|\*/g, 'a');
    return {
      name: `skill at ${id}`,
      read: (text) => readSkill({ path, text, hash: '' } as Parameters<typeof readSkill>[0]),
    };
  });
  return [
    ...trajectories,
    ...skills,
    { name: 'front matter', read: readFrontMatter },
    { name: 'front matter between its marks', read: (text) => readFrontMatter(`---\n${text}\n---\nbody`) },
    { name: 'a value of front matter', read: (text) => readFrontMatter(`---\ndescription: ${text}\n---\nbody`) },
    // Longer front matter is not read.
    { name: 'loose YAML', most: 20_000, read: loosenYaml },
    { name: 'damaged JSON', read: readDamagedJson },
    { name: 'JSON of a trajectory', read: parseBoundedJson },
    { name: 'JSON of Python', read: pythonDumps },
    { name: 'a notebook', read: notebookText },
    {
      name: 'a cell of a notebook',
      read: (text) =>
        notebookText(
          JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', source: text, outputs: [{ text }] }] }),
        ),
    },
    { name: 'MCP servers', read: (text) => serversIn(text) },
    {
      name: 'MCP servers, one of them',
      read: (text) => serversIn(`{"mcpServers": {"a": {"command": "a", "args": [${text}`),
    },
    { name: 'hooks', read: (text) => readHookFile(text.slice(0, longestSettings), 'hooks.json') },
    {
      name: 'hooks, one of them',
      read: (text) => readHookFile(`{"hooks": {"Stop": [${text}`.slice(0, longestSettings), 'hooks.json'),
    },
    {
      name: 'a line of a log',
      read: (text) => readEvent(text, 0, { newer: false }),
    },
    {
      name: 'a script of replies',
      read: (text) => parseScript(text),
    },
    { name: 'a makefile', read: (text) => makeTarget(text, 'a') },
    { name: 'a makefile behind a rule', read: (text) => makeTarget(`a:\n\techo\n${text}\n`, 'a') },
    { name: 'a justfile', read: (text) => justRecipe(text, 'a') },
    { name: 'scripts of npm', read: npmScripts },
    { name: 'a program', read: programAlarm },
    { name: 'a manifest', read: selfRunningFields },
    {
      name: 'a compose file',
      read: (text) => composeFindings(text, { path: 'a.yml', workspace: '/a', variables: {} }),
    },
    { name: 'a patch that a command applies', read: readPatch },
    { name: 'settings of Git', read: gitSettingsIn },
    { name: 'settings of Git that matter', read: plainSettings },
    { name: 'programs of Git', read: (text) => gitProgramsIn(JSON.stringify([text, [], [], '', []])) },
    { name: 'an env file', read: secretsOfDotenv },
    { name: 'lines for provenance', read: fingerprints },
  ];
}
