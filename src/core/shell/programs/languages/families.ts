import type { Family } from '../../calls/manual';
import { binariesFamily } from './binaries';
import { dotnetFamily } from './dotnet';
import { embeddedFamily } from './embedded';
import { functionalFamily } from './functional';
import { goFamily } from './go';
import { jvmFamily } from './jvm';
import { lintersFamily } from './linters';
import { mobileFamily } from './mobile';
import { nativeFamily } from './native';
import { phpFamily } from './php';
import { projectToolsFamily } from './projectTools';
import { rubyFamily } from './ruby';
import { rustFamily } from './rust';
import { versionManagersFamily } from './versionManagers';

/** ★ Programs of programming languages. A separate list, so that it can be loaded alone. */
export const languageFamilies: readonly Family[] = [
  binariesFamily,
  dotnetFamily,
  embeddedFamily,
  functionalFamily,
  goFamily,
  jvmFamily,
  lintersFamily,
  mobileFamily,
  nativeFamily,
  phpFamily,
  projectToolsFamily,
  rubyFamily,
  rustFamily,
  versionManagersFamily,
];
