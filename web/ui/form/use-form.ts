import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { type FieldErrors, fieldErrorsOf, serverFieldErrors } from './field-errors.ts'

interface FormSpec<Draft, Body> {
  /** The initial values of the fields. */
  draft: Draft
  schema: z.ZodMiniType<Body>
  /** The draft as the request body; an invalid number is NaN, which the schema rejects. */
  read: (draft: Draft) => unknown
  /** A check across several fields. */
  rule?: (body: Body) => { field: string; message: string } | null
  /** Its error is shown beside its field or over the button. */
  save: (body: Body) => Promise<unknown>
}

type Fields = Record<string, string | boolean>
type FieldsOf<Draft, Value> = { [Name in keyof Draft]: Draft[Name] extends Value ? Name : never }[keyof Draft] & string
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The state of a form that is checked by the contract. Errors are hidden until the first submit. */
export function useForm<Draft extends Fields, Body>(spec: FormSpec<Draft, Body>) {
  const element = useRef<HTMLFormElement>(null)
  const [saved, setSaved] = useState(spec.draft)
  const [draft, setDraft] = useState(spec.draft)
  const [isTried, setIsTried] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const [refused, setRefused] = useState<FieldErrors>({})
  const { body, fieldErrors: found } = validate(spec, draft)
  const fieldErrors: FieldErrors = { ...refused, ...(isTried ? found : {}) }

  function set(change: Partial<Draft>) {
    setDraft((now) => ({ ...now, ...change }))
    setRefused((now) => without(now, [...Object.keys(change), 'form']))
  }

  function undo() {
    setDraft(saved)
    setIsTried(false)
    setRefused({})
  }

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (isSaving) return
    setIsTried(true)
    if (body === null) return focusFirstError(element.current)
    setIsSaving(true)
    try {
      await spec.save(body)
      setSaved(draft)
      setIsTried(false)
    } catch (error) {
      setRefused(serverFieldErrors(error, Object.keys(draft)))
      focusFirstError(element.current)
    } finally {
      setIsSaving(false)
    }
  }

  return {
    draft,
    /** The request body; null while the draft is invalid. */
    body,
    fieldErrors,
    isDirty: Object.keys(draft).some((name) => draft[name] !== saved[name]),
    isSaving,
    set,
    undo,
    submit,
    form: { ref: element, noValidate: true, onSubmit: (event: FormEvent) => void submit(event) },
    /** Props of a text field. */
    text: (name: FieldsOf<Draft, string>) => ({
      name: name as string,
      value: String(draft[name]),
      error: fieldErrors[name] ?? null,
      onChange: ({ target }: ChangeEvent<Control>) => set({ [name]: target.value } as Partial<Draft>),
    }),
    /** Props of a switch. */
    flag: (name: FieldsOf<Draft, boolean>) => ({
      checked: draft[name] === true,
      onChange: (value: boolean) => set({ [name]: value } as Partial<Draft>),
    }),
  }
}

function validate<Draft, Body>({ schema, read, rule }: FormSpec<Draft, Body>, draft: Draft) {
  const parsed = schema.safeParse(read(draft))
  if (!parsed.success) return { body: null, fieldErrors: fieldErrorsOf(parsed.error.issues) }
  const broken = rule?.(parsed.data)
  return broken
    ? { body: null, fieldErrors: { [broken.field]: broken.message } }
    : { body: parsed.data, fieldErrors: {} }
}

function without(fieldErrors: FieldErrors, names: string[]): FieldErrors {
  return Object.fromEntries(Object.entries(fieldErrors).filter(([name]) => !names.includes(name)))
}

/** Focuses the first invalid field, once the errors are rendered. */
function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}
