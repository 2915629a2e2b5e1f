import type * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'

/** What is wrong with a form: by field, and under `form` what belongs to none. */
export type FieldErrors = Record<string, string>

/** The first thing that is wrong with each field, in the words of the contract. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const fieldErrors: FieldErrors = {}
  for (const { path, message } of issues) fieldErrors[String(path[0] ?? 'form')] ??= message
  return fieldErrors
}

/** A refusal of the server, beside the field it is about if the form has it. */
export function rejectionOf(error: unknown, fields: readonly string[]): FieldErrors {
  if (!(error instanceof ApiError)) return { form: 'Не получилось сохранить. Попробуйте ещё раз.' }
  const { field, message } = error
  if (field === undefined || !fields.includes(field)) return { form: message }
  const own = message.startsWith(`Поле ${field}: `) ? message.slice(`Поле ${field}: `.length) : message
  return { [field]: own }
}

/** Only what differs: what others have changed meanwhile stays as it is. */
export function changedOnly<Body extends object>(before: object, after: Body): Partial<Body> {
  const known = before as Partial<Body>
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => known[name as keyof Body] !== value),
  ) as Partial<Body>
}
