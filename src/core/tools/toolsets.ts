import { applyCodeAction, renameSymbol } from './editor/codeChanges';
import { diagnostics } from './editor/diagnostics';
import { documentSymbols, findReferences, goToDefinition } from './editor/navigation';
import { applyPatch } from './native/applyPatch';
import { askUser } from './native/askUser';
import { bash } from './native/bash';
import { clarify } from './hermes/clarify';
import { deleteFile, moveFile } from './native/moveAndDelete';
import { delegate } from './native/delegate';
import { delegateTask } from './hermes/delegateTask';
import { editFile } from './native/editFile';
import { editNotebook } from './native/editNotebook';
import { findTools } from './native/findTools';
import { finish } from './native/finish';
import { patch } from './hermes/patch';
import { process } from './hermes/process';
import { readFileByOffset } from './hermes/readFile';
import { searchFiles } from './hermes/searchFiles';
import { sessionSearch } from './hermes/sessionSearch';
import { terminal } from './hermes/terminal';
import { listFiles } from './native/listFiles';
import { memory } from './memory/memory';
import { fetchUrl } from './native/fetchUrl';
import { fileEditor } from './openhands/fileEditor';
import { finishWithMessage } from './openhands/finish';
import { taskTracker } from './openhands/taskTracker';
import { terminalWithInput } from './openhands/terminal';
import { readFile } from './native/readFile';
import { runCommand } from './native/runCommand';
import { runPlan } from './native/runPlan';
import { searchText } from './native/searchText';
import { thinkTool } from './native/think';
import { todo } from './native/todo';
import type { Tool } from '../ports/tool';
import { useSkill } from './native/useSkill';
import { writeFile } from './native/writeFile';

/** A named set of tools. If tools have the same name, the first wins. */
export interface Toolset {
  readonly name: string;
  /** One-sentence description for the settings. */
  readonly description: string;
  readonly tools: readonly Tool[];
  /** Names of sets whose tools also belong to this one. */
  readonly includes?: readonly string[];
  /** Names of equivalent tools outside the set. Disabling the set disables them as well. */
  readonly alsoDisables?: readonly string[];
  /** Set if the tools have the names of another agent. No dialect renames them. */
  readonly ownNames?: true;
}

const everyday = [readFile, listFiles, searchText, editFile, writeFile, applyPatch, runCommand, todo, askUser];

/** Sets that the code refers to by name. */
export const toolsets = {
  default: [...everyday, moveFile, deleteFile, delegate, thinkTool, finish],
  /** Needs an editor. */
  editor: [findReferences, goToDefinition, renameSymbol, documentSymbols, diagnostics, applyCodeAction],
  /** Separate, for people who never have notebooks in their folder. */
  notebook: [editNotebook],
  /** For untrusted folders: reading and talking, no changes and no commands. */
  readOnly: [readFile, listFiles, searchText, todo, askUser, thinkTool, finish],
} satisfies Record<string, readonly Tool[]>;

/**
 * ★ All tools, in named sets. A new tool takes one file and one line here. `toolsFor` also accepts `all`, which selects
 * every one of them.
 */
export const knownToolsets: readonly Toolset[] = [
  {
    name: 'default',
    description: 'Everything for coding: read, edit, run, plan and ask.',
    tools: toolsets.default,
    includes: ['notebook', 'editor', 'web', 'added'],
  },
  { name: 'readOnly', description: 'Reading and answering; no edits and no commands.', tools: toolsets.readOnly },
  {
    name: 'mini',
    ownNames: true,
    description: 'Only a shell; every command runs in a new subshell.',
    tools: [bash],
  },
  {
    name: 'openhands',
    ownNames: true,
    description: 'A shell, a file editor and a task list, with the names of OpenHands.',
    tools: [terminalWithInput, fileEditor, taskTracker, thinkTool, finishWithMessage],
  },
  {
    name: 'workgraph',
    description: 'Everything for coding; the reply itself says when the task is done.',
    tools: everyday,
    includes: ['added'],
  },
  {
    name: 'terminal',
    ownNames: true,
    description: 'A persistent shell and its background commands.',
    tools: [terminal, process],
    alsoDisables: ['run_command', 'bash'],
  },
  {
    name: 'file',
    ownNames: true,
    description: 'Read, write, patch and search files.',
    tools: [readFileByOffset, writeFile, patch, searchFiles],
    alsoDisables: [
      'list_files',
      'search_text',
      'edit_file',
      'apply_patch',
      'move_file',
      'delete_file',
      'edit_notebook',
      'file_editor',
      'rename_symbol',
      'apply_code_action',
    ],
  },
  { name: 'todo', description: 'A to-do list.', tools: [todo], alsoDisables: ['task_tracker'] },
  {
    name: 'clarify',
    ownNames: true,
    description: 'Questions to the user.',
    tools: [clarify],
    alsoDisables: ['ask_user'],
  },
  {
    name: 'skills',
    description: 'Skills of the repository and of the user, read when needed. Added automatically if there are any.',
    tools: [useSkill],
  },
  {
    name: 'tool_search',
    description:
      'Finds tools of MCP servers and extensions. Added automatically, and offered if they are too many to send with each request.',
    tools: [findTools],
  },
  { name: 'memory', description: 'Notes for later sessions.', tools: [memory] },
  { name: 'session_search', description: 'Search in earlier sessions.', tools: [sessionSearch] },
  {
    name: 'delegation',
    description: 'Sub-agents with their own log, limits and tools, and plans that several of them carry out.',
    tools: [delegate, runPlan],
    alsoDisables: ['delegate_task'],
  },
  {
    name: 'hermes_delegation',
    ownNames: true,
    description: 'Sub-agents, called as in Hermes Agent.',
    tools: [delegateTask],
    alsoDisables: ['delegate', 'run_plan'],
  },
  {
    name: 'web',
    description: 'Web pages by address; Waymark asks you about each site.',
    tools: [fetchUrl],
  },
  { name: 'debugging', description: 'A shell and files.', tools: [], includes: ['terminal', 'file'] },
  {
    name: 'safe',
    description: 'Files, plans, questions and notes; no shell.',
    tools: [],
    includes: ['file', 'todo', 'clarify', 'memory', 'session_search'],
  },
  {
    name: 'editor',
    description:
      'The language services of VS Code: references, definitions, renames, outlines, problems and quick fixes. Only in VS Code, not on the command line.',
    tools: toolsets.editor,
  },
  { name: 'notebook', description: 'Cells of Jupyter notebooks.', tools: toolsets.notebook },
  {
    name: 'added',
    description:
      'Tools of MCP servers and other extensions. Select some of them by the start of their names: mcp_github.',
    tools: [],
  },
];

const everydayTools: ReadonlySet<Tool> = new Set([
  ...toolsets.default,
  ...toolsets.notebook,
  ...toolsets.editor,
  ...toolsets.readOnly,
]);
const foreignTools: ReadonlySet<Tool> = new Set(
  knownToolsets.filter(({ ownNames }) => ownNames).flatMap(({ tools }) => tools),
);

/** True if a tool has the name and arguments of another agent's tool, which must not be renamed. */
export const ownsItsNames = (tool: Tool): boolean => foreignTools.has(tool) && !everydayTools.has(tool);

let tools: ReadonlyMap<string, Tool> | undefined;

/** Returns the tool of this name from any toolset, or undefined. */
export const knownTool = (name: string): Tool | undefined =>
  (tools ??= new Map(knownToolsets.flatMap((set) => set.tools).map((tool) => [tool.name, tool]))).get(name);
