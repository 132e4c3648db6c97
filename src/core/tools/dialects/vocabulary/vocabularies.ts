import { listFiles } from '../../native/listFiles';
import type { Tool } from '../../../ports/tool';
import { editing, notebooks, patching, writing } from './changing';
import { fetching, listing, reading, searching } from './looking';
import { running } from './running';
import type { Vocabulary } from './vocabulary';
import { asking, delegating, finishing, planning, thinking, usingSkills } from './working';

/** ★ What other agents call the tools of Waymark and their arguments. */
export const vocabularies: readonly Vocabulary[] = [
  reading,
  listing,
  searching,
  fetching,
  editing,
  writing,
  patching,
  notebooks,
  running,
  planning,
  asking,
  finishing,
  thinking,
  delegating,
  usingSkills,
];

/** Tools that agents have and Waymark has not: what does most of their work, and what it cannot do. */
export const nearest: readonly { readonly names: readonly string[]; readonly tool: Tool; readonly why: string }[] = [
  {
    names: ['glob', 'file_search', 'find_files', 'glob_file_search', 'find_file'],
    tool: listFiles,
    why: 'Folders are listed whole, without a pattern for names; a command can look for names',
  },
];

const byTool = new Map(vocabularies.map((vocabulary) => [vocabulary.tool, vocabulary]));

/** Undefined for tools that are called by their own words alone: those of other agents, and those that others give. */
export const vocabularyOf = (tool: Tool): Vocabulary | undefined => byTool.get(tool);

/**
 * A tool's name without what models add to it or vary: case, signs between words,
 * "functions." or "default_api:" before it.
 */
export const plainToolName = (name: string): string =>
  name
    .trim()
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .toLowerCase()
    .replace(/[-_.\s]/g, '');

const byName = new Map(
  vocabularies.flatMap((vocabulary) =>
    [vocabulary.tool.name, ...vocabulary.names].map((name) => [plainToolName(name), vocabulary]),
  ),
);

/** The tool that agents mean by a name. */
export const vocabularyNamed = (name: string): Vocabulary | undefined => byName.get(plainToolName(name));
