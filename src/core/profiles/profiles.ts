import { hermesProfile } from './hermes';
import { miniProfile, miniTextProfile, miniXmlProfile, miniV1Profile } from './mini';
import { openhandsProfile } from './openhands';
import type { Profile, Templates, TemplateSources } from '../ports/profile';
import { waymarkProfile } from './waymark';
import { workgraphProfile, workgraphJsonProfile } from './workgraph';

/** ★ Profiles by name; the first is the default. To add one, add a file and a line here. */
export const profiles: readonly Profile[] = [
  waymarkProfile,
  miniProfile,
  miniTextProfile,
  miniXmlProfile,
  miniV1Profile,
  hermesProfile,
  openhandsProfile,
  workgraphProfile,
  workgraphJsonProfile,
];

/** Throws an `Error` with a message for people that lists the profiles. */
export function profileNamed(name: string): Profile {
  const profile = profiles.find((each) => each.name === name);
  if (!profile)
    throw new Error(
      `There is no agent profile "${name}". Choose one of ${profiles.map((each) => each.name).join(', ')}.`,
    );
  return profile;
}

/** Returns the profile with some templates replaced. `sources`: their files. */
export function withTemplates(profile: Profile, templates: Templates, sources: TemplateSources = {}): Profile {
  return { ...profile, templates: { ...profile.templates, ...templates }, sources: { ...profile.sources, ...sources } };
}
