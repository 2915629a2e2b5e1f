import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import {
  MAX_PROMPT_CATEGORY,
  MAX_PROMPT_CONTENT,
  MAX_PROMPT_DESCRIPTION,
  MAX_PROMPT_TITLE,
  type PromptDraft,
} from '#contract/prompts.ts'

import { holdReload } from '#web/lib/hold-reload.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ContentField } from './content-field.tsx'
import { categoriesQuery } from './queries.ts'

interface PromptFormProps {
  initial: PromptDraft
  /** Shown only to administrators. */
  canPublish: boolean
  call: { mutate: (draft: PromptDraft) => void; isPending: boolean; errors: { form?: string } }
  saveLabel: string
  cancel: ReactNode
}

export function PromptForm({ initial, canPublish, call, saveLabel, cancel }: PromptFormProps) {
  const [draft, setDraft] = useState(initial)
  const [isTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const change = (part: Partial<PromptDraft>) => setDraft((before) => ({ ...before, ...part }))
  const isChanged = Object.entries(initial).some(([name, value]) => draft[name as keyof PromptDraft] !== value)
  useHoldReload(isChanged && !call.isPending)
  const missing = { title: draft.title.trim() === '', content: draft.content.trim() === '' }

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (missing.title || missing.content) {
          requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
        } else call.mutate(draft)
      }}
    >
      <TextField
        label="Название"
        name="title"
        autoComplete="off"
        maxLength={MAX_PROMPT_TITLE}
        value={draft.title}
        error={isTried && missing.title ? 'Назовите промпт, чтобы потом его найти.' : null}
        onChange={(event) => change({ title: event.target.value })}
      />
      <ContentField
        value={draft.content}
        maxLength={MAX_PROMPT_CONTENT}
        error={isTried && missing.content ? 'Напишите текст промпта.' : null}
        onChange={(content) => change({ content })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <CategoryField value={draft.category} onChange={(category) => change({ category })} />
        <TextField
          label="Описание"
          name="description"
          autoComplete="off"
          placeholder="Зачем он нужен, одной фразой"
          maxLength={MAX_PROMPT_DESCRIPTION}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </div>
      {canPublish && (
        <Switch
          label="Опубликовать для всех"
          hint="Промпт увидят все пользователи."
          checked={draft.published}
          onChange={(published) => change({ published })}
        />
      )}
      <ErrorNote text={call.errors.form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={call.isPending}>
          {saveLabel}
        </Button>
        {cancel}
      </div>
    </form>
  )
}

function CategoryField({ value, onChange }: { value: string; onChange: (category: string) => void }) {
  const list = useId()
  const { data: categories = [] } = useQuery(categoriesQuery('all'))
  return (
    <>
      <TextField
        label="Категория"
        name="category"
        list={list}
        autoComplete="off"
        maxLength={MAX_PROMPT_CATEGORY}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {categories.map(({ category }) => (
          <option key={category} value={category} />
        ))}
      </datalist>
    </>
  )
}

/** Delays the reload to a new app version while there are unsaved changes. */
function useHoldReload(isUnsaved: boolean) {
  useEffect(() => (isUnsaved ? holdReload('unsaved prompt') : undefined), [isUnsaved])
}
