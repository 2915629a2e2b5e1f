import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { type Faults, faultsOf, refusalOf } from './faults.ts'

interface FormSpec<Draft, Body> {
  /** What stands in the fields at first. */
  draft: Draft
  schema: z.ZodMiniType<Body>
  /** The fields as they are sent; a number that cannot be read is NaN, and the schema says so. */
  read: (draft: Draft) => unknown
  /** What no field can say alone. */
  rule?: (body: Body) => { field: string; message: string } | null
  /** Its failure is shown beside its field or over the button. */
  save: (body: Body) => Promise<unknown>
}

type Fields = Record<string, string | boolean>
type Named<Draft, Value> = { [Name in keyof Draft]: Draft[Name] extends Value ? Name : never }[keyof Draft] & string

/** The state of a form checked by the contract: nothing is complained about before the first try to save. */
export function useForm<Draft extends Fields, Body>({ draft: first, schema, read, rule, save }: FormSpec<Draft, Body>) {
  const element = useRef<HTMLFormElement>(null)
  const [saved, setSaved] = useState(first)
  const [draft, setDraft] = useState(first)
  const [isTried, setIsTried] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const [refused, setRefused] = useState<Faults>({})

  const parsed = schema.safeParse(read(draft))
  const broken = parsed.success ? (rule?.(parsed.data) ?? null) : null
  const found = parsed.success ? (broken ? { [broken.field]: broken.message } : {}) : faultsOf(parsed.error.issues)
  const faults: Faults = { ...refused, ...(isTried ? found : {}) }
  const isDirty = Object.keys(draft).some((name) => draft[name] !== saved[name])

  function set(change: Partial<Draft>) {
    setDraft((now) => ({ ...now, ...change }))
    setRefused((now) => without(now, [...Object.keys(change), 'form']))
  }

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (isSaving) return
    setIsTried(true)
    if (!parsed.success || broken) return focusFault(element.current)
    setIsSaving(true)
    try {
      await save(parsed.data)
      setSaved(draft)
      setIsTried(false)
    } catch (error) {
      setRefused(refusalOf(error, Object.keys(draft)))
      focusFault(element.current)
    } finally {
      setIsSaving(false)
    }
  }

  return {
    draft,
    body: parsed.success ? parsed.data : null,
    isDirty,
    isSaving,
    faults,
    set,
    undo: () => {
      setDraft(saved)
      setIsTried(false)
      setRefused({})
    },
    submit,
    form: { ref: element, noValidate: true, onSubmit: (event: FormEvent) => void submit(event) },
    /** For a field of text. */
    text: (name: Named<Draft, string>) => ({
      name: name as string,
      value: String(draft[name]),
      error: faults[name] ?? null,
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        set({ [name]: target.value } as Partial<Draft>),
    }),
    /** For a switch. */
    flag: (name: Named<Draft, boolean>) => ({
      checked: draft[name] === true,
      onChange: (value: boolean) => set({ [name]: value } as Partial<Draft>),
    }),
  }
}

function without(faults: Faults, names: string[]): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => !names.includes(name)))
}

/** After the faults are on the page, the keyboard stands in the first field that has one. */
function focusFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}
