import type { Words } from '../../ports/tool';
import type { Dialect, Form } from './dialect';

/** What takes the place of a tool that a dialect does not offer is named in its stead. */
export function wordsOf({ forms, replaced }: Dialect): Words {
  const formNamed = (name: string): Form | undefined => forms.find(({ tool }) => tool.name === name);
  const offered = (name: string): string => replaced.find(([tool]) => tool.name === name)?.[1].name ?? name;
  return {
    tool: (name) => formNamed(offered(name))?.name ?? offered(name),
    argument: (tool, argument) => formNamed(tool)?.words[argument] ?? argument,
  };
}
