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
 * Returns a profile with the user's changes to its prompts and limits. A folder's templates are only used if it is
 * trusted. Throws an `Error` with a message for people.
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

/** Returns the setup for several candidates per reply, or undefined if the user does not want them. */
export async function ownSampling(
  modelNamed: (name: string) => Promise<Model>,
): Promise<SessionAgentParts['sampling']> {
  const { sampling: settings } = readSettings();
  return settings.candidates < 2 ? undefined : withVerifierModel(settings, modelNamed);
}
