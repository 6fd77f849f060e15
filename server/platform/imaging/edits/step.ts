/** One edit, as the request and the history carry it. */
import Type from 'typebox';
import { type ActionName, editActions } from './actions.ts';

type ParamsOf<Name extends ActionName> = Parameters<(typeof editActions)[Name]['apply']>[1];

/** One step of a photo's history, as the request and the history carry it. */
export type EditStep = { [Name in ActionName]: { action: Name; params: ParamsOf<Name> } }[ActionName];

/** The same as JSON Schema. It knows no image: whether a step fits one, `checkStep` says. */
export const EditStep = Type.Unsafe<EditStep>({
  title: 'EditStep',
  type: 'object',
  required: ['action', 'params'],
  discriminator: { propertyName: 'action' },
  oneOf: Object.entries(editActions).map(([action, { params }]) =>
    Type.Object(
      { action: Type.Literal(action), params },
      { title: `${action[0]!.toUpperCase()}${action.slice(1)}Step` },
    ),
  ),
});
