/** A form without the browser's bubbles. If a field is invalid, the first one gets the focus, and nothing is sent. */
import type { ComponentProps, FormEvent } from 'react';

interface Props extends ComponentProps<'form'> {
  /** Called with valid fields only. */
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

export function CheckedForm({ onSubmit, ...form }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The check sends an event to each invalid field (`useFieldProblem`).
    if (event.currentTarget.checkValidity()) return onSubmit(event);
    event.currentTarget.querySelector<HTMLElement>(':is(input, textarea, select):invalid')?.focus();
  };
  return <form {...form} noValidate onSubmit={submit} />;
}
