import { skillFileNames, skillFolders } from '../../core/skills/locations';

/** In capitals or not. */
const names = [...new Set(skillFileNames.flatMap((name) => [name, name.toLowerCase()]))];

/** What VS Code watches for us: it knows of every change in the workspace anyway. */
export const watchedSkills = `**/{${[...names, '.agentignore', ...skillFolders.map((folder) => `${folder}/**`)].join(',')}}`;
