import { attacks } from '../plan/attacks';
import { assertRunsNothing, canBeTried } from '../plan/trap';
import { section } from './incident';

const tried = attacks.slice(0, 3);

// Found by attacking Waymark itself; the other attacks are in ../plan.
section('Plan mode', 'planMode.ts', (declare) => {
  declare(
    {
      row: 76,
      id: 'Waymark: plan mode',
      happened:
        'In plan mode `npm test` ran a `mocha` of the repository, and `PYTHONPATH=. pip list` its `usercustomize.py`: both counted as reading, and wrote outside the workspace.',
      protects:
        'Plan mode runs only listed programs that read. They run in their own shell, which loads nothing from the workspace, and in the sandbox they cannot write to it.',
      needs: async () => tried.every(canBeTried),
    },
    Object.fromEntries(
      tried.map((attack) => [`runs nothing by ${attack.name}`, (world) => assertRunsNothing(world, attack, 'off')]),
    ),
  );
});
