import { applyPatch } from '../../native/applyPatch';
import type { CallArguments } from '../callArguments';
import { editing, patching, writing } from './changing';
import { reading } from './looking';
import { folderNames, running } from './running';
import type { Vocabulary } from './vocabulary';
import { plainToolName, vocabularyNamed } from './vocabularies';

/** Tools elsewhere that do the work of several of ours: what is wanted stands in their arguments. */
interface Route {
  readonly names: readonly string[];
  /** Undefined where no tool does what is wanted; why may be said at the arguments. */
  follow(args: CallArguments): Vocabulary | undefined;
}

/** Anthropic's editor, which OpenHands and SWE-agent have as well. */
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

/** Hermes' tool for both ways to change a file. */
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

/** Codex writes patches as commands, too; other shells have no such program. */
const patchInShell = (args: CallArguments): Vocabulary | undefined => {
  const text = patchIn(args.peek('command', 'cmd'));
  if (text === undefined) return undefined;
  return {
    tool: applyPatch,
    names: [],
    read(given) {
      given.ignore('command', 'cmd', 'timeout', 'timeout_ms', 'login');
      const folder = given.take(...folderNames);
      const isElsewhere = folder !== undefined && folder !== '' && folder !== '.' && folder !== './';
      if (isElsewhere)
        given.refuse(
          'the paths of a patch begin at the first folder of the workspace, so it takes no folder: write the folder into the paths',
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
 * What a call with this name and these arguments wants, where the name alone does not say it; undefined where it does.
 */
export function routed(args: CallArguments): { readonly wanted: Vocabulary | undefined } | undefined {
  const route = routes.get(plainToolName(args.called));
  if (route) return { wanted: route.follow(args) };
  const isShell = vocabularyNamed(args.called) === running;
  const wanted = isShell ? patchInShell(args) : undefined;
  return wanted && { wanted };
}
