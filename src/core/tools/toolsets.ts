import { applyPatch } from './applyPatch';
import { askUser } from './askUser';
import { editFile } from './editFile';
import { finish } from './finish';
import { listFiles } from './listFiles';
import { readFile } from './readFile';
import { runCommand } from './runCommand';
import { searchText } from './searchText';
import { think } from './think';
import { todo } from './todo';
import type { Tool } from './tool';
import { writeFile } from './writeFile';

/** ★ The tools, in named lists. A new tool is one file and one line here. */
export const toolsets = {
  default: [readFile, listFiles, searchText, editFile, writeFile, applyPatch, runCommand, todo, askUser, think, finish],
  /** For folders that are not trusted: looking and talking, no change and no command. */
  readOnly: [readFile, listFiles, searchText, todo, askUser, think, finish],
} satisfies Record<string, readonly Tool[]>;
