import { applyPatch } from '../../native/applyPatch';
import type { CallArguments } from '../callArguments';
import { editing, patching, writing } from './changing';
import { reading } from './looking';
import { folderNames, running } from './running';
import type { Vocabulary } from './vocabulary';
import { plainToolName, vocabularyNamed } from './vocabularies';

/** A tool of another agent that combines several Waymark tools. Its arguments determine which one is meant. */
interface Route {
  readonly names: readonly string[];
  /** Returns undefined if no tool does what is requested. The reason may be added to `args`. */
  follow(args: CallArguments): Vocabulary | undefined;
}

/** Anthropic's editor, also used by OpenHands and SWE-agent. */
const editor: Route = {
  names: ['str_replace_editor', 'str_replace_based_edit_tool', 'file_editor', 'text_editor'],
  follow(args) {
    const command = args.take('command');
    switch (command) {
      case 'view':
        return reading;
      case 'create':
        return writing;
      case 'str_replace':
        return editing;
      default:
        return void args.refuse(
          `command ${JSON.stringify(command)} cannot be used here: view, create and str_replace can`,
        );
    }
  },
};

/** Hermes' tool for both ways of changing a file. */
const patch: Route = {
  names: ['patch'],
  follow(args) {
    if (args.has('patch', 'patch_text', 'input', 'diff')) return patching;
    args.ignore('mode');
    return editing;
  },
};

const beginsPatch = /^\s*\*\*\* Begin Patch/;
const heredoc = /^\s*(?:apply_patch|applypatch)\s+<<-?\s*(['"]?)(\w+)\1[ \t]*\n([\s\S]*?)\n\2\s*$/;

/** Codex also sends patches as shell commands; other shells have no such program. */
const patchInShell = (args: CallArguments): Vocabulary | undefined => {
  const text = patchIn(args.peek('command', 'cmd'));
  if (text === undefined) return undefined;
  return {
    tool: applyPatch,
    names: [],
    read(callArguments) {
      callArguments.ignore('command', 'cmd', 'timeout', 'timeout_ms', 'login');
      const folder = callArguments.take(...folderNames);
      const isElsewhere = folder !== undefined && folder !== '' && folder !== '.' && folder !== './';
      if (isElsewhere)
        callArguments.refuse(
          'the paths of a patch are relative to the first folder of the workspace, so it takes no folder: write the folder into the paths',
        );
      return { patch: text };
    },
  };
};

function patchIn(command: unknown): string | undefined {
  if (Array.isArray(command)) {
    const [program, second, third] = command as unknown[];
    if (command.length === 2 && /^apply_?patch$/.test(String(program)) && beginsPatch.test(String(second)))
      return String(second);
    return command.length === 3 && /^-[a-z]*c$/.test(String(second)) ? patchIn(third) : undefined;
  }
  const written = typeof command === 'string' ? heredoc.exec(command)?.[3] : undefined;
  return written !== undefined && beginsPatch.test(written) ? written : undefined;
}

const routes = new Map([editor, patch].flatMap((route) => route.names.map((name) => [plainToolName(name), route])));

/**
 * Resolves a tool name that is ambiguous by itself, using the arguments. Returns undefined if the name alone is
 * sufficient.
 */
export function resolveAmbiguousName(args: CallArguments): { readonly wanted: Vocabulary | undefined } | undefined {
  const route = routes.get(plainToolName(args.called));
  if (route) return { wanted: route.follow(args) };
  const isShell = vocabularyNamed(args.called) === running;
  const wanted = isShell ? patchInShell(args) : undefined;
  return wanted && { wanted };
}
