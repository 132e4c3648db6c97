import { setting } from '../setting';
import { choice, choiceFrom, names, namesByName, shaped, text, textByName } from '../value';

/** What the agent reads, and which tools it has. */
export const contextSettings = {
  profile: setting({
    value: choiceFrom('profiles'),
    default: 'waymark',
    words: 'The way of working of new tasks: how the model is spoken to, its limits, its tools, when it is condensed.',
    flag: {
      argument: '<name>',
      words:
        'way of working, such as waymark, mini, hermes, openhands or workgraph; a name that is not there lists them all',
      keptInLog: true,
    },
  }),
  templates: setting({
    value: text(),
    default: '.agent/profiles',
    words:
      'Folder of templates that stand in for those of a profile, each `<profile>.<template>.jinja`. A relative path is below the first folder of the workspace; it counts once the workspace is trusted. Empty: none.',
    flag: {
      argument: '<folder>',
      words: 'templates in place of the profile’s: files such as mini.system.jinja',
    },
  }),
  'prompt.prefix': setting({
    value: textByName,
    default: {},
    words:
      'Words before the system prompt of new tasks, by folder: `{"/home/me/project": "Speak Dutch."}`. `*` is every other folder.',
    flag: {
      argument: '<text>',
      words: 'words before the system prompt of a new session',
      keptInLog: true,
      read: (text) => ({ '*': text }),
    },
  }),
  'prompt.suffix': setting({
    value: textByName,
    default: {},
    words: 'Words behind the system prompt of new tasks, by folder, written like `#waymark.prompt.prefix#`.',
    flag: {
      argument: '<text>',
      words: 'words behind the system prompt of a new session',
      keptInLog: true,
      read: (text) => ({ '*': text }),
    },
  }),
  saveTrajectories: setting({
    value: text(),
    default: '',
    words:
      'Folder to which each conversation is added when its task ends, as a line in the format of Hermes Agent: `trajectory_samples.jsonl`, or `failed_trajectories.jsonl`. A relative path is below the folder you work in. Empty: none.',
    flag: {
      argument: '<folder>',
      words:
        'add the conversation to trajectory_samples.jsonl in this folder when the run ends, or to failed_trajectories.jsonl, in the format of Hermes Agent',
    },
  }),
  toolsets: setting({
    value: names,
    default: [],
    words:
      'Tools of a task, by the names of toolsets or of single tools. Empty: those of the agent profile. Toolsets: `default`, `readOnly`, `mini`, `openhands`, `workgraph`, `terminal`, `file`, `todo`, `clarify`, `skills`, `memory`, `session_search`, `delegation`, `hermes_delegation`, `web`, `debugging`, `safe`, `editor`, `notebook`, `added`, `all`. Those of the editor are in the window only.',
    flag: {
      words:
        'toolsets or tools, with commas between; as the profile says. An unknown name lists them all, and says what stands in for vision of Hermes Agent',
      keptInLog: true,
    },
  }),
  disabledToolsets: setting({
    value: names,
    default: [],
    words:
      'Toolsets or tools that no task has. A toolset takes the tools of other profiles with it that do the same: `terminal` leaves nothing that runs commands.',
    flag: { name: '--disable-toolsets', words: 'toolsets or tools to leave out', keptInLog: true },
  }),
  customToolsets: setting({
    value: namesByName,
    default: {},
    words:
      'Toolsets of your own: a name, and the tools and toolsets that belong to it. Example: `{"look": ["read_file", "search_text"]}`.',
    flag: {
      words: 'toolsets of your own, as a JSON object: {"look":["read_file","search_text"]}',
    },
  }),
  'tools.dialect': setting({
    value: choice({
      auto: 'By the name of the model.',
      waymark: 'Waymark’s own: `read_file`, `edit_file`, `run_command`.',
      claude:
        '`Read`, `Edit` with `old_string` and `new_string`, `Write`, `Bash`: for Claude, Qwen, Kimi, GLM and similar models.',
      codex: '`apply_patch` with `*** Begin Patch`, and `shell`: for GPT and Codex models.',
      gemini: '`replace`, `run_shell_command`, `grep_search`: for Gemini models.',
    }),
    default: 'auto',
    words:
      'The names and shapes in which a model is offered the tools for files and commands. Models work best with those they were trained on. A session keeps its dialect to its end.',
    flag: {
      name: '--dialect',
      argument: '<name>',
      words:
        'names and shapes in which tools are offered: by the model (auto), Waymark’s own, or those of another agent',
      keptInLog: true,
    },
  }),
  'mcp.servers': setting({
    value: shaped<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          command: { type: 'string' },
          args: { type: 'array', items: { type: 'string' } },
          env: { type: 'object', additionalProperties: { type: 'string' } },
          cwd: { type: 'string' },
          url: { type: 'string' },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
          disabled: { type: 'boolean' },
          timeout: { type: 'number' },
        },
      },
    }),
    default: {},
    words:
      'MCP servers of your own, by name: `{"notes": {"command": "npx", "args": ["-y", "notes-server"], "env": {"KEY": "${env:NOTES_KEY}"}}}`, or `{"url": "https://…", "headers": {}}`. Each is asked about before it first starts. They come before those that files of the workspace name.',
    flag: {
      words: 'MCP servers beside those of the folder, by name, as a JSON object; --mcp says which are used',
    },
  }),
};
