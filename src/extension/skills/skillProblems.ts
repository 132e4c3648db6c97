import * as vscode from 'vscode';
import { problemsTold } from '../common/problemsTold';
import type { WorkspaceSkills } from './workspaceSkills';

/** What is wrong with the files that teach the agent, in the Problems panel. */
export const skillProblems = (skills: WorkspaceSkills): vscode.Disposable =>
  problemsTold('waymark-skills', skills.onDidChange, async () => {
    const { files } = skills;
    return ((await files?.all()) ?? []).flatMap(({ skill }) => {
      const file = files?.fileOf(skill);
      return file === undefined || skill.problems.length === 0
        ? []
        : [[vscode.Uri.file(file), skill.problems] as const];
    });
  });
