import { setting } from '../setting';
import { choice, choiceFrom, nameList, namesByName, jsonValue, text, textByName } from '../value';

/** What the agent reads, and which tools it has. */
export const contextSettings = {
  profile: setting({
    value: choiceFrom('profiles'),
    default: 'waymark',
    words: 'The agent profile of new tasks: its prompts, limits and tools, and when it condenses the conversation.',
    flag: {
      argument: '<name>',
      words: 'agent profile, such as waymark, mini, hermes, openhands or workgraph; an unknown name lists them all',
      keptInLog: true,
    },
  }),
  templates: setting({
    value: text(),
    default: '.agent/profiles',
    words:
      'Folder of templates that replace those of a profile, each named `<profile>.<template>.jinja`. A relative path starts at the first folder of the workspace, and applies once the workspace is trusted. Empty: none.',
    flag: {
      argument: '<folder>',
      words: 'folder of templates that replace those of the profile, such as mini.system.jinja',
    },
  }),
  'prompt.prefix': setting({
    value: textByName,
    default: {},
    words:
      'Text before the system prompt of new tasks, by folder: `{"/home/me/project": "Speak Dutch."}`. `*` means every other folder.',
    flag: {
      argument: '<text>',
      words: 'text before the system prompt of a new session',
      keptInLog: true,
      read: (text) => ({ '*': text }),
    },
  }),
  'prompt.suffix': setting({
    value: textByName,
    default: {},
    words: 'Text after the system prompt of new tasks, by folder, written like `#waymark.prompt.prefix#`.',
    flag: {
      argument: '<text>',
      words: 'text after the system prompt of a new session',
      keptInLog: true,
      read: (text) => ({ '*': text }),
    },
  }),
  saveTrajectories: setting({
    value: text(),
    default: '',
    words:
      'Folder for conversations in the format of Hermes Agent. When a task ends, Waymark adds its conversation as a line to `trajectory_samples.jsonl` or `failed_trajectories.jsonl`. A relative path starts at the folder you work in. Empty: none.',
    flag: {
      argument: '<folder>',
      words:
        'when the run ends, add the conversation to trajectory_samples.jsonl or failed_trajectories.jsonl in this folder, in the format of Hermes Agent',
    },
  }),
  toolsets: setting({
    value: nameList,
    default: [],
    words:
      'Tools of a task, as names of toolsets or single tools. Empty: the tools of the agent profile. Toolsets: `default`, `readOnly`, `mini`, `openhands`, `workgraph`, `terminal`, `file`, `todo`, `clarify`, `skills`, `tool_search`, `memory`, `session_search`, `delegation`, `hermes_delegation`, `web`, `debugging`, `safe`, `editor`, `notebook`, `added`, `all`. The tools of the editor are only available in the window.',
    flag: {
      words:
        'comma-separated toolsets or tools (default: those of the profile); an unknown name lists them all, with the alternative to vision of Hermes Agent',
      keptInLog: true,
    },
  }),
  disabledToolsets: setting({
    value: nameList,
    default: [],
    words:
      'Toolsets or tools that no task gets. A toolset also removes equivalent tools of other profiles: with `terminal`, no tool that runs commands is left.',
    flag: { name: '--disable-toolsets', words: 'comma-separated toolsets or tools to remove', keptInLog: true },
  }),
  customToolsets: setting({
    value: namesByName,
    default: {},
    words:
      'Custom toolsets: a name, and the tools and toolsets that it contains. Example: `{"look": ["read_file", "search_text"]}`.',
    flag: {
      words: 'custom toolsets, as a JSON object: {"look":["read_file","search_text"]}',
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
      'The names and parameters of the tools for files and commands that a model is offered. Models work best with those they were trained on. A session keeps its dialect.',
    flag: {
      name: '--dialect',
      argument: '<name>',
      words: 'names and parameters of tools: by the model (auto), Waymark’s own, or those of another agent',
      keptInLog: true,
    },
  }),
  'mcp.servers': setting({
    value: jsonValue<Readonly<Record<string, unknown>>>({
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
      'Additional MCP servers, by name: `{"notes": {"command": "node", "args": ["/home/me/notes-server.mjs"], "env": {"KEY": "${env:NOTES_KEY}"}}}`, or `{"url": "https://…", "headers": {}}`. Waymark asks before it first starts each one. They take precedence over servers from files of the workspace.',
    flag: {
      words: 'MCP servers in addition to those of the folder, by name, as a JSON object; --mcp selects which are used',
    },
  }),
};
