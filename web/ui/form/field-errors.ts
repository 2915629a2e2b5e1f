import type * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'
import { callErrorText, statusAndMessage } from '#web/lib/error-text.ts'

/** Error texts by field; `form` holds the one that belongs to no field. */
export type FieldErrors = Record<string, string>

/** The first error of each field, with the text of the contract. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const fieldErrors: FieldErrors = {}
  for (const { path, message } of issues) fieldErrors[String(path[0] ?? 'form')] ??= message
  return fieldErrors
}

/** An error of the server, under its field when the form has it. */
export function serverFieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  if (!(error instanceof ApiError)) return { form: 'Не получилось сохранить. Попробуйте ещё раз.' }
  const { status, field, message } = error
  if (field === undefined || !fields.includes(field)) return { form: callErrorText(error) }
  const own = message.startsWith(`Поле ${field}: `) ? message.slice(`Поле ${field}: `.length) : message
  return { [field]: statusAndMessage({ status, message: own }) }
}

/** Only the changed fields, so that parallel changes of others are not overwritten. */
export function changedOnly<Body extends object>(before: object, after: Body): Partial<Body> {
  const known = before as Partial<Body>
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => known[name as keyof Body] !== value),
  ) as Partial<Body>
}
