/** The label of a field, its hint, and its problem in place of the hint. */
import { type ReactNode, useId } from 'react';
import styles from './form.module.css';
import { useFieldProblem } from './validation.ts';

export interface FieldTexts {
  label: string;
  hint?: string | undefined;
  /** The API's message for the field. */
  problem?: string | undefined;
}

interface FieldAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface Props extends FieldTexts {
  children(attributes: FieldAttributes): ReactNode;
}

export function FieldFrame({ label, hint, problem: apiProblem, children }: Props) {
  const id = useId();
  const [problem, handlers] = useFieldProblem(apiProblem);
  const shown = problem ?? hint;
  return (
    <div className={styles.field} {...handlers}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem ? true : undefined,
        'aria-describedby': shown ? `${id}-told` : undefined,
      })}
      {shown && (
        <p
          id={`${id}-told`}
          className={problem ? styles.problem : styles.hint}
          role={problem ? 'alert' : undefined}
        >
          {shown}
        </p>
      )}
    </div>
  );
}
