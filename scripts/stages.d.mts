export interface NamedStage {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
}
export const STAGES: readonly NamedStage[];
export function chooseStages(names: readonly string[], places?: readonly string[]): readonly NamedStage[];
