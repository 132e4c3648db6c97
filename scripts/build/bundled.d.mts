/** ★ The modules that benches bundle. Their types make a renamed export or member an error of `npm run typecheck`. */
interface Modules {
  'src/adapters/checkpoints/checkpointStore': typeof import('../../src/adapters/checkpoints/checkpointStore');
  'src/adapters/checkpoints/restoring/runChanges': typeof import('../../src/adapters/checkpoints/restoring/runChanges');
  'src/adapters/checkpoints/recording/sessionCheckpoints': typeof import('../../src/adapters/checkpoints/recording/sessionCheckpoints');
  'src/adapters/files/diskFiles': typeof import('../../src/adapters/files/diskFiles');
  'src/adapters/files/workspacePaths': typeof import('../../src/adapters/files/workspacePaths');
  'src/adapters/log/eventLog': typeof import('../../src/adapters/log/eventLog');
  'src/adapters/log/logFile': typeof import('../../src/adapters/log/logFile');
  'src/adapters/log/logPages': typeof import('../../src/adapters/log/logPages');
  'src/adapters/provenance/folderProvenance': typeof import('../../src/adapters/provenance/folderProvenance');
  'src/adapters/search/fileNames': typeof import('../../src/adapters/search/fileNames');
  'src/adapters/search/ripgrep': typeof import('../../src/adapters/search/ripgrep');
  'src/adapters/sessions/openTrajectory': typeof import('../../src/adapters/sessions/openTrajectory');
  'src/adapters/sessions/sessions': typeof import('../../src/adapters/sessions/sessions');
  'src/adapters/skills/skillFiles': typeof import('../../src/adapters/skills/skillFiles');
  'src/adapters/storage/frame': typeof import('../../src/adapters/storage/frame');
  'src/adapters/storage/machineKey': typeof import('../../src/adapters/storage/machineKey');
  'src/core/condense/condenserFor': typeof import('../../src/core/condense/condenserFor');
  'src/core/condense/contextFill': typeof import('../../src/core/condense/contextFill');
  'src/core/context/bestMatches': typeof import('../../src/core/context/bestMatches');
  'src/core/model/messages': typeof import('../../src/core/model/messages');
  'src/core/risk/pathRules': typeof import('../../src/core/risk/pathRules');
  'src/core/security/analyzers': typeof import('../../src/core/security/analyzers');
  'src/core/security/taint/reachAnalyzer': typeof import('../../src/core/security/taint/reachAnalyzer');
  'src/core/security/taint/taintAnalyzer': typeof import('../../src/core/security/taint/taintAnalyzer');
  'src/core/session/conversation': typeof import('../../src/core/session/conversation');
  'src/core/session/sessionAgent': typeof import('../../src/core/session/sessionAgent');
  'src/core/skills/skillsPrompt': typeof import('../../src/core/skills/skillsPrompt');
  'src/core/tools/native/runCommand': typeof import('../../src/core/tools/native/runCommand');
  'src/core/trajectory/format': typeof import('../../src/core/trajectory/format');
  'src/core/trajectory/formats/formats': typeof import('../../src/core/trajectory/formats/formats');
  'src/core/trajectory/provenance': typeof import('../../src/core/trajectory/provenance');
  'src/core/trajectory/provenance/fingerprints': typeof import('../../src/core/trajectory/provenance/fingerprints');
  'src/core/trajectory/runFacts': typeof import('../../src/core/trajectory/runFacts');
  'src/extension/inspector/inspectorChannel': typeof import('../../src/extension/inspector/inspectorChannel');
  'src/extension/panel/panelChannel': typeof import('../../src/extension/panel/panelChannel');
}

/** The same names, but with arguments and array items of any type: benches build theirs in plain JavaScript. */
type Named<T> =
  T extends Promise<infer Value>
    ? Promise<Named<Value>>
    : T extends abstract new (...args: never[]) => infer Made
      ? new (...args: unknown[]) => Named<Made>
      : T extends (...args: never[]) => infer Result
        ? (...args: unknown[]) => Named<Result>
        : T extends readonly unknown[]
          ? // oxlint-disable-next-line typescript/no-explicit-any -- events differ, and benches know which they get
            any[]
          : T extends object
            ? { [Name in keyof T]-?: Named<NonNullable<T[Name]>> }
            : T;

type Sources = { readonly [Path in keyof Modules]?: readonly (keyof Modules[Path])[] };

type ExportsOf<S extends Sources> = {
  [Path in keyof S & keyof Modules as (S[Path] & readonly string[])[number]]: Path;
};

/** The wanted exports, by name. */
type Bundled<S extends Sources> = {
  [Name in keyof ExportsOf<S>]: Named<
    ExportsOf<S>[Name] extends infer Path extends keyof Modules ? Modules[Path][Name & keyof Modules[Path]] : never
  >;
};

export function bundled<const S extends Sources>(sources: S): Promise<Bundled<S>>;
