import { type ReactNode, useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { PromptPreview } from './prompt-preview.tsx'
import { useVariables } from './use-variables.ts'
import { VariableField } from './variable-field.tsx'

interface VariableFormProps {
  content: string
  /** Called by Enter or by the submit button among `actions`. */
  onFill: (text: string) => void
  /** Buttons under the form. `fill` returns the text, or null and shows what is missing. */
  actions: (fill: () => string | null) => ReactNode
  /** In a dialog the buttons stay visible under a long form. */
  inDialog?: boolean
}

/** The variables of a prompt as a form, with a preview of the text below. */
export function VariableForm({ content, onFill, actions, inDialog = false }: VariableFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { parts, variables, values, given, change, problemOf, fill } = useVariables(content)

  function fillOrShow(): string | null {
    const text = fill()
    // The invalid field is marked only after the next render.
    if (text === null) requestAnimationFrame(() => firstInvalid(form.current)?.focus())
    return text
  }

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const text = fillOrShow()
        if (text !== null) onFill(text)
      }}
    >
      {variables.map((variable) => (
        <VariableField
          key={variable.key}
          variable={variable}
          value={given(variable)}
          error={problemOf(variable)}
          onChange={(value) => change(variable.key, value)}
        />
      ))}
      <section aria-label="Что получится">
        <h3 className="text-sm font-medium">Что получится</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
        <div tabIndex={0} className="mt-1.5 max-h-64 overflow-y-auto rounded-md border bg-panel px-3 py-2.5">
          <PromptPreview parts={parts} variables={variables} values={values} />
        </div>
      </section>
      <div
        className={classNames(
          'flex flex-wrap justify-end gap-2',
          inDialog && '-mx-5 -mb-5 sticky -bottom-5 border-t bg-surface px-5 py-4',
        )}
      >
        {actions(fillOrShow)}
      </div>
    </form>
  )
}

function firstInvalid(form: HTMLFormElement | null): HTMLElement | null | undefined {
  return form?.querySelector<HTMLElement>('[aria-invalid="true"]')
}
