import { byName, type Spec } from '../spec';
import { cloudTools } from './clouds';
import { dataTools } from './data';
import { ecosystemTools } from './ecosystems';
import { fileTools } from './files';
import { gitTools } from './git';
import { javascriptTools } from './javascript';
import { languageTools } from './languages';
import { lookerTools } from './lookers';
import { systemTools } from './system';
import { textTools } from './text';

const tools = byName({ ...textTools });
const registry = new Map<string, Spec>([...tools, ...byName(fileTools), ...byName(gitTools), ...byName(javascriptTools), ...byName(languageTools), ...byName(systemTools), ...byName(cloudTools), ...byName(dataTools), ...byName(ecosystemTools), ...byName(lookerTools)]);

/** ★ The tables of `tools/`, by the name of the program. */
export const toolNamed = (name: string): Spec | undefined => registry.get(name);
export const toolNames = (): string[] => [...registry.keys()];
