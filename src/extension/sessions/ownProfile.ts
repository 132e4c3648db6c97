import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionAgentParts } from '../../core/session/sessionAgent';
import type { Model } from '../../core/ports/model';
import type { Profile } from '../../core/ports/profile';
import { profileNamed, withTemplates } from '../../core/profiles/profiles';
import { profileWith } from '../../core/profiles/profileWith';
import { withVerifierModel } from '../../core/session/settingsFrom';
import { readSettings } from '../common/settings';

/**
 * A profile with the words and numbers that a person put in place of its own. A folder's templates count once
 * it is trusted. Throws an `Error` in words.
 */
export async function ownProfile(name: string, root: string): Promise<Profile> {
  const { templates, overrides } = readSettings();
  const profile = profileWith(profileNamed(name), overrides);
  if (templates === '' || !vscode.workspace.isTrusted) return profile;
  const found = await (
    await import('../../adapters/files/templateFiles')
  ).templatesIn(path.resolve(root, templates), name);
  return withTemplates(profile, found.templates, found.sources);
}

/** Several candidates for each reply, where a person wants them. */
export async function ownSampling(
  modelNamed: (name: string) => Promise<Model>,
): Promise<SessionAgentParts['sampling']> {
  const { sampling: settings } = readSettings();
  return settings.candidates < 2 ? undefined : withVerifierModel(settings, modelNamed);
}
