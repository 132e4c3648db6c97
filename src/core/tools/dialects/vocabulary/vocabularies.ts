import { listFiles } from '../../native/listFiles';
import type { Tool } from '../../../ports/tool';
import { editing, notebooks, patching, writing } from './changing';
import { fetching, listing, reading, searching } from './looking';
import { running } from './running';
import type { Vocabulary } from './vocabulary';
import { askingVocabulary, delegating, finishing, planning, thinking, usingSkills } from './working';

/** ★ Names that other agents use for Waymark's tools and their arguments. */
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
  askingVocabulary,
  finishing,
  thinking,
  delegating,
  usingSkills,
];

/** Tools that other agents have and Waymark does not: the closest Waymark tool, and what it cannot do. */
export const nearestTools: readonly { readonly names: readonly string[]; readonly tool: Tool; readonly why: string }[] =
  [
    {
      names: ['glob', 'file_search', 'find_files', 'glob_file_search', 'find_file'],
      tool: listFiles,
      why: 'Folders are listed without a name pattern; a command can search for names',
    },
  ];

const byTool = new Map(vocabularies.map((vocabulary) => [vocabulary.tool, vocabulary]));

/** Returns undefined for tools that are only called by their own names: tools of other agents and added tools. */
export const vocabularyOf = (tool: Tool): Vocabulary | undefined => byTool.get(tool);

/**
 * Normalizes a tool name: removes case, separators, a prefix "functions." or "default_api:", and what servers of GPT-OSS
 * leave after it, such as "<|channel|>commentary".
 */
export const plainToolName = (name: string): string =>
  name
    .replace(/<\|.*/s, '')
    .trim()
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .toLowerCase()
    .replace(/[-_.\s]/g, '');

const byName = new Map(
  vocabularies.flatMap((vocabulary) =>
    [vocabulary.tool.name, ...vocabulary.names].map((name) => [plainToolName(name), vocabulary]),
  ),
);

/** Returns the tool that agents mean by a name. */
export const vocabularyNamed = (name: string): Vocabulary | undefined => byName.get(plainToolName(name));
